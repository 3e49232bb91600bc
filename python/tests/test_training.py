import os
import signal
import threading
import time

import pytest

import heed

SMALL = {
    "seed": 1,
    "threads": 1,
    "text": {"type": "words"},
    "arch": {"d_model": 16, "encoder": {"layers": 1, "heads": 2}, "decoder": {"layers": 1, "heads": 2}},
    "data": {"batch_tokens": 200, "micro_batches": 1},
    "log": {"every": 5},
}


def options(corpus, model, **others):
    return {**SMALL, "source": corpus / "train.source", "target": corpus / "train.target", "model": model, **others}


def test_former_names_of_options_work(corpus, tmp_path):
    events = []
    given = options(corpus, tmp_path / "model", data={"update_tokens": 200, "parts": 1}, train={"max_updates": 2})
    heed.train(given, progress=events.append)
    assert events[-1]["step"] == 2
    with pytest.raises(heed.ConfigError, match="^`train.max_steps` is given twice"):
        heed.train(given, train={"max_updates": 2, "max_steps": 2})


def test_trains_and_tells_how_far_it_is(corpus, tmp_path):
    events = []
    model = heed.train(options(corpus, tmp_path / "model", train={"max_steps": 20}), progress=events.append)
    assert model == str(tmp_path / "model")
    assert [event["step"] for event in events if event["type"] == "train"] == [5, 10, 15, 20]
    assert events[0]["type"] == "start" and events[0]["pairs"] == 200
    assert events[-1]["type"] == "finish"
    assert len(heed.Translator(model).translate(["a b"])) == 1


def test_refuses_options_that_do_not_go_together(corpus, tmp_path):
    with pytest.raises(heed.ConfigError, match="leaking"):
        heed.train(options(corpus, tmp_path / "model", data={"leaking": "leave-out"}))
    assert not (tmp_path / "model").exists()


def test_gives_the_commands_model(corpus, tmp_path, command):
    heed.train(options(corpus, tmp_path / "python"), train={"max_steps": 10})
    printed = command("train", "--source", corpus / "train.source", "--target", corpus / "train.target", "--seed", 1, "--threads", 1,
                      "--text.type", "words", "--arch.d-model", 16, "--arch.encoder.layers", 1, "--arch.encoder.heads", 2,
                      "--arch.decoder.layers", 1, "--arch.decoder.heads", 2, "--data.batch-tokens", 200, "--data.micro-batches", 1,
                      "--log.every", 5, "--train.max-steps", 10, "--model", tmp_path / "command")
    assert printed.returncode == 0, printed.stderr
    files = [tmp_path / name / "model.safetensors" for name in ("python", "command")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_threads_of_pytorch_stay(corpus, tmp_path, threads_of_torch):
    heed.train(options(corpus, tmp_path / "model"), train={"max_steps": 2})
    assert threads_of_torch() == [3, 3]


def test_reads_configuration_files(corpus, tmp_path):
    file = tmp_path / "run.toml"
    file.write_text(f'source = ["{corpus}/train.source"]\ntarget = ["{corpus}/train.target"]\nthreads = 1\n'
                    "[text]\ntype = \"words\"\n[arch]\nd-model = 16\n[train]\nmax-steps = 2\n")
    events = []
    assert heed.train(file, events.append, model=tmp_path / "model") == str(tmp_path / "model")
    assert events[-1]["type"] == "finish" and events[-1]["step"] == 2


def test_what_the_callback_raises_stops_it(corpus, tmp_path):
    def enough(event):
        if event["type"] == "train" and event["step"] >= 10:
            raise LookupError("enough")

    given = options(corpus, tmp_path / "model", train={"max_steps": 30})
    with pytest.raises(LookupError, match="enough"):
        heed.train(given, progress=enough)
    events = []
    heed.train(given, progress=events.append)  # goes on
    assert events[0]["resumed"] and 10 <= events[0]["step"] < 30
    assert events[-1]["step"] == 30


def test_ctrl_c_saves_and_stops(corpus, tmp_path):
    given = options(corpus, tmp_path / "model", train={"max_steps": 1000000}, log={"every": 1})
    begun = threading.Event()

    def interrupt():
        begun.wait(60)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        heed.train(given, progress=lambda event: begun.set() if event["type"] == "train" else None)
    thread.join()
    assert time.monotonic() - begin < 60
    events = []

    def look(event):
        events.append(event)
        raise LookupError

    with pytest.raises(LookupError):
        heed.train(given, progress=look)
    assert events[0]["resumed"] and events[0]["step"] > 0


def test_errors_are_the_commands(corpus, tmp_path, command):
    with pytest.raises(heed.ConfigError) as error:
        heed.train(options(corpus, tmp_path / "model", train={"max_steps": "many"}))
    printed = command("train", "--source", corpus / "train.source", "--target", corpus / "train.target", "--model", tmp_path / "model",
                      "--train.max-steps", "many")
    assert printed.stderr == f"heed: {error.value}\n".replace("train.max_steps", "--train.max-steps")
    with pytest.raises(TypeError, match="train.max_steps must be a number, a string, None, or a list of them, found object"):
        heed.train(options(corpus, tmp_path / "model", train={"max_steps": object()}))
    (tmp_path / "other").write_text("one line\n")
    with pytest.raises(heed.InputError):
        heed.train(options(corpus, tmp_path / "model", target=tmp_path / "other"))
