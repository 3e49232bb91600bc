import pathlib
import re
import threading
import time

import numpy
import pytest

import heed

LINES = ["seven one", "", "two"]


@pytest.fixture(scope="module")
def model(stored):
    return heed.Translator(stored, threads=2)


def test_translations_are_the_commands(model, stored):
    lines = (stored / "input.txt").read_text(encoding="utf-8").splitlines()
    expected = (stored / "expected.txt").read_text(encoding="utf-8").splitlines()
    assert [translation.text for translation in model.translate(lines)] == expected
    assert [str(translation) for translation in model.translate(line for line in LINES)] == ["eins sieben", "", "zwei"]


def test_options_of_search_are_the_commands(model, stored, command):
    (best, *_) = model.translate(LINES[:1], beam=4, n_best=3, length_penalty="none")
    assert len(best.others) == 2
    listed = command("translate", "--model", stored, "--search.beam", 4, "--search.n-best", 3, "--search.length-penalty", "none",
                     text="seven one\n").stdout.splitlines()
    found = [f"0 ||| {one.text} ||| {one.score:.6f}" for one in [best, *best.others]]
    assert found == listed


def test_constraints_are_the_commands(model, stored, command, tmp_path):
    lines = ["seven one", "two three one", "", "four"]
    files = {"terminology": "one\tdrei\n", "forbid": "vier\n", "prefix": "zwei\n\n\n\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    def of_command(*options):
        return command("translate", "--model", stored, *options, text="\n".join(lines) + "\n").stdout.splitlines()

    def of_model(**options):
        return [str(translation) for translation in model.translate(lines, **options)]

    usual = of_model()
    for name in ("terminology", "forbid"):
        constrained = of_model(**{name: tmp_path / name})
        assert constrained == of_command(f"--{name}", tmp_path / name) != usual
    begun = of_model(prefix=["zwei", "", "", ""])
    assert begun == of_command("--prefix", tmp_path / "prefix") != usual
    assert begun[0].startswith("zwei") and begun[1:] == usual[1:]
    sampled = dict(method="sample", n_best=20, seed=7, mbr="chrf")
    assert of_model(**sampled) == of_command("--search.method", "sample", "--search.n-best", 20, "--search.seed", 7, "--mbr", "chrf")
    assert of_model(split="sentences", mbr="bleu", n_best=4, mbr_scale=0.5) == of_command(
        "--split", "sentences", "--mbr", "bleu", "--search.n-best", 4, "--mbr-scale", 0.5)
    assert of_model(replace_unknown=True) == of_command("--replace-unknown")
    assert of_model(terminology=None, forbid=None, prefix=None, mbr_scale=None) == usual


def test_wrong_constraints_are_errors(model, tmp_path):
    with pytest.raises(heed.InputError, match="^`prefix` has 1 item, but there are 3 lines$"):
        model.translate(LINES, prefix=["eins"])
    with pytest.raises(heed.FileError, match="nowhere: cannot open"):
        model.translate(LINES, forbid="nowhere")
    with pytest.raises(heed.ConfigError, match="^`mbr` chooses among several translations: `n_best` must be above 1"):
        model.translate(LINES, mbr="chrf")
    with pytest.raises(heed.ConfigError, match="^`dictionary` has no effect without `replace_unknown`"):
        model.translate(LINES, dictionary=tmp_path / "words")
    with pytest.raises(heed.ConfigError, match="^`terminology` needs beam search, .*`method` is sample$"):
        model.translate(LINES, terminology=tmp_path / "terms", method="sample")


def test_tokens_have_probabilities(model):
    (best,) = model.translate(["seven one"], token_scores=True)
    assert best.tokens == ["eins", "sieben"]
    assert best.source_tokens == ["seven", "one"]
    assert best.token_log_probabilities.dtype == numpy.float32
    assert best.token_log_probabilities.shape == (3,)
    assert best.token_log_probabilities.sum() == pytest.approx(best.log_probability, abs=1e-5)
    assert best.flags == [] and best.parts == 1


def test_scores_are_the_commands(model, stored, command, tmp_path):
    sources, targets = ["seven one", "two"], ["eins sieben", "drei"]
    (tmp_path / "source").write_text("\n".join(sources) + "\n")
    (tmp_path / "target").write_text("\n".join(targets) + "\n")
    printed = command("score", "--model", stored, "--source", tmp_path / "source", "--target", tmp_path / "target").stdout
    scored = model.score(sources, targets)
    assert [f"{one.log_probability:.6f}" for one in scored] == printed.split()
    assert scored[0].token_log_probabilities.sum() == pytest.approx(scored[0].log_probability, abs=1e-5)


def test_attention_is_an_array(model):
    (aligned,) = model.align(["seven one"], ["eins sieben"])
    assert (aligned.source, aligned.target) == (["seven", "one"], ["eins", "sieben"])
    assert aligned.weights.dtype == numpy.float32 and aligned.weights.shape == (2, 2)
    assert aligned.weights.argmax(axis=1).tolist() == [1, 0]
    assert aligned.links() == [(0, 1), (1, 0)]
    assert aligned.heads is None
    (heads,) = model.align(["seven one"], ["eins sieben"], all_heads=True)
    assert heads.heads.shape == (1, 2, 2, 2)
    assert numpy.allclose(heads.heads[0].mean(axis=0), heads.weights, atol=1e-5)


def test_attention_of_a_translation(model):
    (best,) = model.translate(["seven one"], attention=True)
    assert best.alignment().links() == [(0, 1), (1, 0)]
    (without,) = model.translate(["seven one"])
    with pytest.raises(ValueError, match="attention=True"):
        without.alignment()


def test_arrays_outlive_what_they_come_from(stored):
    weights = heed.Translator(stored).align(["seven one"], ["eins sieben"])[0].weights
    assert weights.sum() == pytest.approx(2, abs=0.5)


def test_errors_are_the_commands(model, stored, command):
    printed = command("translate", "--model", "nowhere")
    with pytest.raises(heed.CheckpointError) as error:
        heed.Translator("nowhere")
    assert printed.stderr == f"heed: {error.value}\n"
    assert issubclass(heed.CheckpointError, heed.Error)


def test_errors_have_the_names_of_python(model, stored):
    with pytest.raises(heed.ConfigError) as error:
        model.translate(LINES, beamm=4)
    assert str(error.value) == "`beamm` is not an option; did you mean `beam`?"
    with pytest.raises(heed.ConfigError, match="^`n_best` must be a whole number of at least 1, but is `0`"):
        model.translate(LINES, n_best=0)
    for name in ("shortlist", "short_list"):  # the second is its former name
        with pytest.raises(heed.ConfigError, match="^`shortlist` needs a shortlist, .*`heed shortlist --model "):
            heed.Translator(stored, **{name: True}).translate(LINES)


def test_errors_are_one_printable_line(tmp_path):
    """As the commands print them."""
    hostile = tmp_path / "a\nb\x1b[31m\u202e"
    with pytest.raises(heed.CheckpointError) as error:
        heed.Translator(hostile)
    assert str(error.value) == f"{tmp_path}/a\\nb\\x1b[31m\\u202e: is not a model directory: it does not exist"
    with pytest.raises(heed.FileError) as error:
        heed.Translator(tmp_path / ("x" * 300))
    assert str(error.value) == f"{tmp_path}/{'x' * 300}: cannot access: File name too long"


def test_wrong_text_names_its_line(model):
    with pytest.raises(heed.InputError) as error:
        model.translate(["seven", "\udcff"])
    assert str(error.value) == "lines:2: expected UTF-8 text, found the byte 0xED at byte 1 of the line"
    with pytest.raises(heed.InputError, match="there are 2 sources, but 1 target"):
        model.score(["seven", "one"], ["sieben"])
    with pytest.raises(TypeError, match="lines must be a list of strings, not one string"):
        model.translate("seven")
    with pytest.raises(TypeError, match="lines must be strings, but item 2 is bytes"):
        model.translate(["seven", b"one"])


def test_flags_are_documented(model):
    guide = (pathlib.Path(__file__).parents[2] / "docs/guide/translate.md").read_text(encoding="utf-8")
    table = guide[guide.index("| flag | the translation |"):].split("\n\n")[0]
    names = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    assert "repeated" in names and "unknown" in names
    assert heed.Translation.flags.__doc__ == f"What is unusual: {', '.join(names)}."


def test_the_threads_of_pytorch_stay(stored, threads_of_torch):
    for threads in (1, 2, 0):
        model = heed.Translator(stored, threads=threads)
        assert threads_of_torch() == [3, 3], "opening"
        model.translate(["seven one"])
        model.score(["seven one"], ["eins sieben"])
        model.align(["seven one"], ["eins sieben"])
        assert threads_of_torch() == [3, 3], "use"
        with pytest.raises(heed.InputError):
            model.score(["seven"], ["eins", "sieben"])
        assert threads_of_torch() == [3, 3], "an error"


def test_the_threads_of_pytorch_stay_beside_other_calls(stored, threads_of_torch):
    models = [heed.Translator(stored, threads=threads) for threads in (1, 2)]
    calls = [threading.Thread(target=model.score, args=(["seven one"] * 2000, ["eins sieben"] * 2000)) for model in models]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert threads_of_torch() == [3, 3]


def test_other_threads_run_meanwhile(model):
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    lines = ["one two three four five six seven eight nine"] * 20000
    begin, before = time.monotonic(), len(counted)
    model.translate(lines, beam=8)
    seconds, during = time.monotonic() - begin, len(counted) - before
    stop.set()
    thread.join()
    assert seconds > 0.1, "too quick to tell"
    assert during > 0.1 * seconds / 0.002


def test_several_threads_share_a_model(model):
    texts = [None] * 4

    def translate(place):
        model.score(["seven one"], ["eins sieben"])
        texts[place] = model.translate(["seven one"])[0].text

    threads = [threading.Thread(target=translate, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ["eins sieben"] * 4
