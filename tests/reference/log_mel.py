"""Makes tests/media/data/log_mel.json, which tests/media/log_mel_test.cpp reads: log-mel frames by librosa.

Usage: python tests/reference/log_mel.py   (needs librosa 0.11)
"""
import json
import pathlib

import librosa
import numpy as np

# rate, window and hop in samples, size of the transform, mels, low, high, samples
CASES = {
    "defaults": (16000, 400, 160, 512, 80, 0, 8000, 1500),
    "a telephone's band": (8000, 200, 80, 256, 40, 20, 3800, 900),
    "a window that is a power of two": (16000, 512, 128, 512, 64, 60, 7600, 800),
    "another rate": (22050, 551, 221, 1024, 128, 0, 11025, 1300),
    "shorter than a window": (16000, 400, 160, 512, 40, 0, 8000, 3),
}


def sound(rate, count, random):
    time = np.arange(count) / rate
    wave = 0.3 * np.sin(2 * np.pi * 440 * time) + 0.2 * np.sin(2 * np.pi * 2500 * time * (1 + time))
    return np.round(32768 * (wave + 0.01 * random.standard_normal(count))).astype(int)


def frames(samples, rate, window, hop, size, mels, low, high):
    """ln max(mel power, 1e-10), [frames, mels]."""
    power = librosa.feature.melspectrogram(y=samples / 32768, sr=rate, n_fft=size, win_length=window, hop_length=hop,
                                           n_mels=mels, fmin=low, fmax=high, dtype=np.float64)
    return np.log(np.maximum(power, 1e-10)).T


if __name__ == "__main__":
    draws = np.random.default_rng(1)
    stored = []
    for name, (rate, window, hop, size, mels, low, high, count) in CASES.items():
        samples = sound(rate, count, draws)
        if name == "defaults":
            samples[500:1200] = 0  # silence: the floor
        values = frames(samples, rate, window, hop, size, mels, low, high)
        stored.append({"name": name, "rate": rate, "window": window, "hop": hop, "size": size, "mels": mels, "low": low,
                       "high": high, "samples": samples.tolist(), "frames": np.round(values, 6).tolist()})
    target = pathlib.Path(__file__).parents[1] / "media/data/log_mel.json"
    target.write_text("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in stored) + "\n]\n", encoding="utf-8")
