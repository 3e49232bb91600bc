"""Clients of a translation server: a process that sends sentences over many connections and writes what it measured.

    python clients.py PORT CONNECTIONS SECONDS SENTENCES.json

SENTENCES.json: [[sentence, translation or null], ...]. Each connection sends a sentence, waits for the answer, and sends
the next. An answer that differs from the translation counts as wrong.
"""

import asyncio
import json
import sys
import time


def request_of(sentence):
    body = json.dumps({"q": sentence, "source": "en", "target": "de"}).encode()
    return b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


async def answer_of(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
    return int(head.split()[1]), await reader.readexactly(length)


class Clients:
    def __init__(self, port, sentences):
        self.port, self.sentences = port, sentences
        self.requests = [request_of(sentence) for sentence, _ in sentences]
        self.latencies, self.errors, self.wrong, self.next = [], 0, 0, 0

    async def client(self, end):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        while time.perf_counter() < end:
            i = self.next = (self.next + 1) % len(self.requests)
            begin = time.perf_counter()
            writer.write(self.requests[i])
            try:
                status, body = await answer_of(reader)
            except (asyncio.IncompleteReadError, ConnectionError):
                self.errors += 1
                return
            self.latencies.append(time.perf_counter() - begin)
            if status != 200:
                self.errors += 1
            elif self.sentences[i][1] is not None and json.loads(body)["translatedText"] != self.sentences[i][1]:
                self.wrong += 1
        writer.close()

    async def run(self, connections, seconds):
        begin = time.perf_counter()
        await asyncio.gather(*(self.client(begin + seconds) for _ in range(connections)))
        return time.perf_counter() - begin


def main():
    port, connections, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    with open(sys.argv[4]) as file:
        clients = Clients(port, json.load(file))
    took = asyncio.run(clients.run(connections, seconds))
    ordered = sorted(clients.latencies)

    def at(share):
        return 1e3 * ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else None
    print(json.dumps({"connections": connections, "requests": len(ordered), "requests_per_second": len(ordered) / took,
                      "mean_ms": 1e3 * sum(ordered) / max(len(ordered), 1), "p50_ms": at(0.5), "p99_ms": at(0.99), "errors": clients.errors, "wrong": clients.wrong}))


if __name__ == "__main__":
    main()
