"""Writes tests/metrics/data/mecab.json: Japanese and Korean lines and what sacreBLEU 2.6.0 makes of them with MeCab.

    pip install "sacrebleu[ja,ko]==2.6.0"; python3.11 tests/reference/mecab_cases.py
"""
import json
import pathlib
import random

from sacrebleu.metrics.bleu import _get_tokenizer

from random_text import wild_line

OUT = pathlib.Path(__file__).parent.parent / "metrics" / "data" / "mecab.json"
LINES = {
    "ja-mecab": ["すもももももももものうち", "今日はいい天気ですね。", "国際連合は、1945年10月24日に設立された。", "令和元年五月一日", "昭和と平成と令和。令和令和 a令和b",
                 "ABC株式会社　東京 大学", "カタカナテスト🎉", ""],
    "ko-mecab": ["아버지가 방에 들어가신다.", "아버지가방에들어가신다", "나는 학교 에 갔다 .", "대한민국의 수도는 서울이다!", "오늘은 날씨가 좋네요 ABC 123", ""],
}

if __name__ == "__main__":
    rng = random.Random(4)
    cases = {}
    for name, lines in LINES.items():
        tokenizer = _get_tokenizer(name)()
        lines = lines + [wild_line(rng).replace("\x00", "").rstrip() for _ in range(15)]
        cases[name] = {"signature": tokenizer.signature(), "tokens": {text: tokenizer(text).split() for text in lines}}
    OUT.write_text(json.dumps(cases, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
