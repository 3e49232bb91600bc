import numpy
import pytest

import heed

HYPOTHESES = ["the cat sat on the mat", "a dog was in the garden", "all of it is well"]
REFERENCES = ["the cat sat on a mat", "a dog is in the garden", "all is well"]


def report(command, tmp_path, *options, references=(REFERENCES,)):
    arguments = []
    for number, lines in enumerate(references):
        path = tmp_path / f"reference{number}"
        path.write_text("".join(line + "\n" for line in lines))
        arguments += ["--reference", path]
    (tmp_path / "output").write_text("".join(line + "\n" for line in HYPOTHESES))
    return command("evaluate", *arguments, *options, tmp_path / "output")


@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf++", "ter", "wer", "cer"])
def test_scores_are_the_commands(command, tmp_path, metric):
    score = heed.evaluate(HYPOTHESES, REFERENCES, metric)[metric]
    assert str(score) + "\n" == report(command, tmp_path, "--metric", metric).stdout
    assert float(score) == score.value > 0


def test_word_error_rate_by_hand():
    # One word is replaced in each of the first two lines; two are inserted in the third: 4 edits of 6 + 6 + 3 words.
    assert heed.evaluate(HYPOTHESES, REFERENCES, "wer")["wer"].value == pytest.approx(100 * 4 / 15)


def test_options_are_the_commands(command, tmp_path):
    upper = [line.upper() for line in REFERENCES]
    scores = heed.evaluate(HYPOTHESES, upper, ["bleu", "chrf"], lowercase=True, tokenize="none", chrf={"lowercase": True})
    printed = report(command, tmp_path, "--metric", "bleu", "--metric", "chrf", "--lowercase", "--tokenize", "none",
                     "--chrf.lowercase", references=(upper,)).stdout
    assert "".join(f"{score}\n" for score in scores.values()) == printed
    assert "case:lc" in scores["bleu"].signature and "tok:none" in scores["bleu"].signature


def test_several_references(command, tmp_path):
    others = ["the cat sat on the mat", "a dog was there", "all is well"]
    score = heed.evaluate(HYPOTHESES, [REFERENCES, others])["bleu"]
    assert str(score) + "\n" == report(command, tmp_path, references=(REFERENCES, others)).stdout
    assert score.signature.startswith("nrefs:2|")


def test_sentences_have_scores():
    score = heed.evaluate(HYPOTHESES, REFERENCES, "ter", sentence_level=True)["ter"]
    assert score.sentences.dtype == numpy.float64
    assert score.sentences == pytest.approx([100 / 6, 100 / 6, 200 / 3])
    assert heed.evaluate(HYPOTHESES, REFERENCES, "ter")["ter"].sentences.shape == (0,)


def test_errors_are_the_commands(command, tmp_path):
    with pytest.raises(heed.ConfigError) as error:
        heed.evaluate(HYPOTHESES, REFERENCES, "blue")
    assert report(command, tmp_path, "--metric", "blue").stderr == f"heed: {error.value}\n".replace("`metric", "`--metric")
    with pytest.raises(heed.InputError, match="references: has 2 lines, but hypotheses has 3"):
        heed.evaluate(HYPOTHESES, REFERENCES[:2])
    with pytest.raises(heed.ConfigError, match="is an option of `heed evaluate` alone"):
        heed.evaluate(HYPOTHESES, REFERENCES, by_length=True)
