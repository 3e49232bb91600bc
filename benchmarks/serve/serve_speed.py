"""Measures `heed serve`: requests a second and latency, beside CTranslate2 behind a usual Python server.

    python3 benchmarks/serve/serve_speed.py build/release/bin/heed --model models/en-de --text test.en --out runs/serve

--text: sentences, one per line; each is a request. The model must be a Transformer with SentencePiece tokenizers, which
`heed export --to ctranslate2` writes. What is measured, one after the other:

- in fp32 and in int8, for 1, 8, 64 and 200 connections at once: requests a second, latencies, errors, answers that differ
  from heed translate's; heed translate on the same sentences
- in fp32 also the engine's own time for a request, the memory of 1,000 idle connections, and the latencies of one client
  while others are slow, send too much, or leave

The peer is installed into build/peers/ctranslate2-server. --peer none measures heed only. The clients are a process of
their own on the same cores, for both servers.
"""

import argparse
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
COMPUTE_TYPES = {"fp32": "float32", "int8": "int8"}  # heed's precisions, and CTranslate2's words for them
PACKAGES = ["ctranslate2==4.8.5", "fastapi==0.165.0", "sentencepiece==0.2.3", "uvicorn==0.54.0"]


def say(text):
    print(text, file=sys.stderr, flush=True)


def peer_python(folder):
    """A Python with the packages of the peer."""
    python = folder / "bin/python"
    if not python.exists():
        say(f"installing {', '.join(PACKAGES)} into {folder}")
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


class Server:
    """A running server, which is known to answer."""

    def __init__(self, command, port=None):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if port is None:
            for line in self.process.stderr:
                if found := re.search(r"listening on http://[^:]+:(\d+)", line):
                    port = int(found[1])
                    break
            threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.port = port
        for _ in range(600):
            try:
                self.get("/health")
                return
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit(f"the server has ended: {self.process.stderr.read()}") from None
                time.sleep(0.1)
        raise SystemExit("the server does not answer")

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as answer:
            return answer.read().decode()

    def memory(self):
        """Bytes of the process."""
        return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    def load(self, sentences, connections, seconds):
        found = subprocess.run([sys.executable, HERE / "clients.py", str(self.port), str(connections), str(seconds), sentences],
                               check=True, capture_output=True, text=True)
        result = json.loads(found.stdout)
        result["server_bytes"] = self.memory()
        return result

    def line_times(self):
        """The sum of the times to translate each line so far, and their number."""
        metrics = self.get("/metrics")
        return [float(re.search(rf"heed_line_seconds_{name} (\S+)", metrics)[1]) for name in ("sum", "count")]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def idle_connections(server, count):
    before = server.memory()
    open_ones = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(count)]
    time.sleep(1)
    more = server.memory() - before
    for connection in open_ones:
        connection.close()
    return {"connections": count, "bytes": more}


class Abuse:
    """Clients that are slow, send too much, send nonsense, or leave without their answer."""

    def __init__(self, port):
        self.port, self.ended = port, threading.Event()
        self.threads = [threading.Thread(target=self.again, args=(client,), daemon=True)
                        for client in (self.slow, self.long, self.nonsense, self.leaving) for _ in range(10)]

    def again(self, client):
        while not self.ended.is_set():
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
                    client(connection)
            except OSError:
                time.sleep(0.05)

    def slow(self, connection):
        for byte in b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + b" " * 1000:
            if self.ended.wait(0.1):
                return
            connection.sendall(bytes([byte]))

    def long(self, connection):
        connection.sendall(b"POST /translate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(300):
            connection.sendall(b"10000\r\n" + b"a" * 65536 + b"\r\n")
            self.ended.wait(0.02)

    def nonsense(self, connection):
        connection.sendall(os.urandom(200) + b"\r\n\r\n")
        connection.recv(100)
        self.ended.wait(0.05)

    def leaving(self, connection):
        body = json.dumps({"q": "Who waits for this?\n" * 20, "source": "en", "target": "de", "alternatives": 10000}).encode()
        connection.sendall(b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        self.ended.wait(0.05)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        time.sleep(1)

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()


def timed_translate(arguments, precision, text):
    """The translations, and lines a second of the whole process."""
    begin = time.perf_counter()
    found = subprocess.run([arguments.heed, "translate", "--model", arguments.model, "--threads", str(arguments.cores),
                            "--precision", precision, "--input", text], check=True, capture_output=True, text=True)
    lines = found.stdout.splitlines()
    return lines, len(lines) / (time.perf_counter() - begin)


def measure_heed(arguments, precision, sentences, results):
    command = [arguments.heed, "serve", "--model", f"en-de={arguments.model}", "--port", "0", "--threads", str(arguments.cores),
               "--precision", precision, "--access-log", "none"]
    with Server(command) as server:
        for count in arguments.connections:
            say(f"heed serve, {precision}, connections: {count}")
            before = server.line_times()
            long = count == 200 and precision == "fp32"
            row = server.load(sentences, count, arguments.long_seconds if long else arguments.seconds)
            after = server.line_times()
            row["line_ms"] = 1e3 * (after[0] - before[0]) / max(after[1] - before[1], 1)
            results["heed"].append(row)
        results["beam"] = json.loads(server.get("/v1/models"))[0]["beam"]
        if precision != "fp32":
            return
        say("idle connections")
        results["idle"] = idle_connections(server, 1000)
        say("one client beside abusive ones")
        with Abuse(server.port):
            results["abuse"] = server.load(sentences, 1, arguments.seconds)


def measure_peer(arguments, precision, sentences, results):
    model = arguments.out / "ctranslate2"
    if not model.exists():
        subprocess.run([arguments.heed, "export", "--to", "ctranslate2", "--model", arguments.model, "--output", model], check=True)
    port = free_port()
    python = peer_python(arguments.peers_dir / "ctranslate2-server")
    command = [python, HERE / "ctranslate2_server.py", model, str(port), str(arguments.cores), str(results["beam"]), COMPUTE_TYPES[precision]]
    with Server(command, port) as server:
        for count in arguments.connections:
            say(f"CTranslate2 behind FastAPI, {precision}, connections: {count}")
            results["ctranslate2"].append(server.load(sentences, count, arguments.seconds))


def table(results):
    """The figures of a precision."""
    text = ["| connections | heed serve, requests/s | p50 | p99 | CTranslate2 + FastAPI, requests/s | p50 | p99 | ratio |", "|---|---|---|---|---|---|---|---|"]
    for i, ours in enumerate(results["heed"]):
        cells = [f"{ours['requests_per_second']:.1f}", f"{ours['p50_ms']:.1f} ms", f"{ours['p99_ms']:.1f} ms"]
        if i < len(results["ctranslate2"]):
            other = results["ctranslate2"][i]
            cells += [f"{other['requests_per_second']:.1f}", f"{other['p50_ms']:.1f} ms", f"{other['p99_ms']:.1f} ms",
                      f"{ours['requests_per_second'] / other['requests_per_second']:.2f}"]
        else:
            cells += ["", "", "", ""]
        text.append(f"| {ours['connections']} | " + " | ".join(cells) + " |")
    one, most = results["heed"][0], results["heed"][-1]
    text += ["", f"- errors: {sum(r['errors'] for r in results['heed'])}, wrong answers: {sum(r['wrong'] for r in results['heed'])}, "
                 f"of {sum(r['requests'] for r in results['heed']):,} requests",
             f"- {most['connections']} connections have {most['requests_per_second'] / results['translate_lines_per_second']:.2f} of the "
             f"lines/s of `heed translate` ({results['translate_lines_per_second']:.1f})",
             f"- one connection: the mean latency is {one['mean_ms'] / one['line_ms']:.2f} times the engine's own time ({one['line_ms']:.1f} ms)"]
    if "idle" in results:
        text.append(f"- {results['idle']['connections']:,} idle connections take {results['idle']['bytes'] / 1e6:.1f} MB")
        text.append(f"- beside 40 abusive clients: p50 {results['abuse']['p50_ms']:.1f} ms, p99 {results['abuse']['p99_ms']:.1f} ms, "
                    f"{results['abuse']['errors']} errors")
    return "\n".join(text) + "\n"


def measure(arguments, precision, lines, text):
    translations, rate = timed_translate(arguments, precision, text)
    results = {"cores": arguments.cores, "translate_lines_per_second": rate, "heed": [], "ctranslate2": []}
    pairs = arguments.out / "sentences.json"
    pairs.write_text(json.dumps(list(zip(lines, translations))), encoding="utf-8")
    measure_heed(arguments, precision, pairs, results)
    if arguments.peer == "ctranslate2":
        alone = arguments.out / "sentences-alone.json"  # it rounds differently: its answers are not compared
        alone.write_text(json.dumps([[line, None] for line in lines]), encoding="utf-8")
        measure_peer(arguments, precision, alone, results)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed")
    parser.add_argument("--model", required=True, help="model directory")
    parser.add_argument("--text", required=True, help="sentences in the source language, one per line")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for results.json and results.md")
    parser.add_argument("--lines", type=int, default=1000, help="sentences of the text that are used")
    parser.add_argument("--seconds", type=float, default=20, help="seconds of each load")
    parser.add_argument("--long-seconds", type=float, default=60, help="seconds of the load of 200 connections")
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 8, 64, 200])
    parser.add_argument("--precisions", choices=list(COMPUTE_TYPES), nargs="+", default=list(COMPUTE_TYPES))
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--peer", choices=["ctranslate2", "none"], default="ctranslate2")
    parser.add_argument("--peers-dir", type=pathlib.Path, default=pathlib.Path("build/peers"))
    parser.add_argument("--quick", action="store_true", help="some seconds: shows that everything works")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.lines, arguments.seconds, arguments.long_seconds = 50, 2, 2
    arguments.out.mkdir(parents=True, exist_ok=True)
    text = arguments.out / "source.txt"
    with open(arguments.text, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip()][:arguments.lines]
    text.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    results = {precision: measure(arguments, precision, lines, text) for precision in arguments.precisions}
    (arguments.out / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    report = "\n".join(f"{precision}:\n\n{table(found)}" for precision, found in results.items())
    (arguments.out / "results.md").write_text(report)
    print(report, end="")


if __name__ == "__main__":
    main()
