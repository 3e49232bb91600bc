"""CTranslate2 behind a usual Python web server: FastAPI on uvicorn, a request for each sentence, as many translations at the
same time as there are cores. The model is that of `heed export --to ctranslate2`. TYPE: CTranslate2's compute_type.

    python ctranslate2_server.py MODEL PORT CORES BEAM TYPE
"""

import sys

import ctranslate2
import sentencepiece
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

MODEL, PORT, CORES, BEAM, TYPE = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
translator = ctranslate2.Translator(MODEL, compute_type=TYPE, inter_threads=CORES, intra_threads=1)
source = sentencepiece.SentencePieceProcessor(model_file=f"{MODEL}/source.spm")
target = sentencepiece.SentencePieceProcessor(model_file=f"{MODEL}/target.spm")
app = FastAPI()


class Request(BaseModel):
    q: str
    source: str
    target: str


@app.post("/translate")
def translate(request: Request):  # FastAPI runs it in a thread
    pieces = source.encode(request.q, out_type=str)
    result = translator.translate_batch([pieces], beam_size=BEAM, disable_unk=True)[0]
    return {"translatedText": target.decode(result.hypotheses[0])}


@app.get("/health")
def health():
    return {"status": "ok"}


uvicorn.run(app, port=PORT, log_level="warning")
