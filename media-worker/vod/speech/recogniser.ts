import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type * as Library from 'sherpa-onnx-node';
import type { SpeechModel } from '@/lib/core/speech/model-files';
import { ANSWER_FD, SAMPLE_RATE, type RecogniserAnswer, type RecogniserRequest } from './messages';
import { readModel } from './read-model';

/**
 * A separate program, because it loads native code that can crash. run-recogniser.ts starts it in a sandbox, with a
 * `RecogniserRequest` as its argument.
 */

type Sherpa = typeof Library;
type Recognise = (samples: Float32Array) => { text: string; tokens?: string[]; timestamps?: number[] };

/** Samples per window of the voice activity detector (Silero accepts only 512 at 16 kHz). */
const WINDOW_SIZE = 512;
/** Longest audio that is recognised at once: models accept at most 30 s. */
const MAX_SPEECH_SECONDS = 28;
/** Options of the voice activity detector: threshold of the probability of speech, and durations in seconds. */
const detectionOptions = {
  threshold: 0.5,
  minSilenceDuration: 0.5,
  minSpeechDuration: 0.25,
  maxSpeechDuration: 15,
};
/** Streaming models need silence at the end to recognise the last word. */
const trailingSilence = new Float32Array(SAMPLE_RATE / 2);
/** Interval of progress reports, in samples. */
const REPORT_INTERVAL_SAMPLES = 10 * SAMPLE_RATE;

/** Writes an answer; a pipe may accept only a part of it at a time. */
function sendAnswer(message: RecogniserAnswer): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let writtenBytes = 0; writtenBytes < bytes.length;)
    writtenBytes += writeSync(ANSWER_FD, bytes, writtenBytes);
}

/** Loads the model, and returns a function that recognises up to 30 s of speech. */
function openRecogniser(sherpa: Sherpa, model: SpeechModel, request: RecogniserRequest): Recognise {
  const pathOf = (file: string) => join(request.model, file);
  const commonConfig = {
    tokens: pathOf(model.tokens),
    numThreads: request.threads,
    provider: 'cpu',
    debug: false,
  };
  const networkPaths = { encoder: pathOf(model.encoder), decoder: pathOf(model.decoder) };
  const featConfig = { sampleRate: SAMPLE_RATE, featureDim: 80 };
  if (model.kind === 'streaming-transducer') {
    const modelConfig = { transducer: { ...networkPaths, joiner: pathOf(model.joiner) }, ...commonConfig };
    const recogniser = new sherpa.OnlineRecognizer({ featConfig, modelConfig });
    return (samples) => {
      const stream = recogniser.createStream();
      for (const piece of [samples, trailingSilence])
        stream.acceptWaveform({ sampleRate: SAMPLE_RATE, samples: piece });
      stream.inputFinished();
      while (recogniser.isReady(stream)) recogniser.decode(stream);
      return recogniser.getResult(stream);
    };
  }
  const modelConfig =
    model.kind === 'whisper'
      ? {
          whisper: { ...networkPaths, language: request.language, task: 'transcribe', tailPaddings: -1 },
          ...commonConfig,
        }
      : {
          transducer: { ...networkPaths, joiner: pathOf(model.joiner) },
          ...commonConfig,
          ...modelTypeOf(request.model),
        };
  const recogniser = new sherpa.OfflineRecognizer({ featConfig, modelConfig });
  return (samples) => {
    const stream = recogniser.createStream();
    stream.acceptWaveform({ sampleRate: SAMPLE_RATE, samples });
    recogniser.decode(stream);
    return recogniser.getResult(stream);
  };
}

/**
 * The type of a model. NeMo transducers have the same files but are decoded differently; their folders are named
 * after NeMo or Parakeet.
 */
const modelTypeOf = (folder: string) =>
  /nemo|parakeet/i.test(basename(folder)) ? { modelType: 'nemo_transducer' } : {};

/**
 * Joins tokens to words. A token that begins a word starts with a space, in some models with `▁`.
 * @param startMs start of the recognised audio, from which timestamps in seconds count
 */
function wordsOf({ tokens = [], timestamps = [] }: ReturnType<Recognise>, startMs: number) {
  const spokenWords: { text: string; startMs: number }[] = [];
  if (tokens.length !== timestamps.length) return spokenWords;
  for (const [index, token] of tokens.entries()) {
    const text = token.replaceAll('▁', ' ');
    const last = spokenWords.at(-1);
    if (last && !text.startsWith(' ')) last.text += text;
    else spokenWords.push({ text: text.trim(), startMs: startMs + (timestamps[index] ?? 0) * 1_000 });
  }
  return spokenWords.filter(({ text }) => text !== '');
}

/** Recognises detected speech and sends its text, in pieces that the model accepts. */
function reportUtterance(recognise: Recognise, samples: Float32Array, startSample: number): void {
  for (let offset = 0; offset < samples.length; offset += MAX_SPEECH_SECONDS * SAMPLE_RATE) {
    const piece = samples.subarray(offset, offset + MAX_SPEECH_SECONDS * SAMPLE_RATE);
    const startMs = ((startSample + offset) / SAMPLE_RATE) * 1_000;
    const result = recognise(piece);
    const text = result.text.trim();
    const endMs = startMs + (piece.length / SAMPLE_RATE) * 1_000;
    if (text !== '') sendAnswer({ type: 'utterance', startMs, endMs, text, words: wordsOf(result, startMs) });
  }
}

/**
 * Reads a window of samples as numbers from -1 to 1; zeros follow the end of the file.
 * @returns null at the end of the file
 */
function readWindow(file: number, sample: number): Float32Array | null {
  const bytes = Buffer.alloc(WINDOW_SIZE * 2);
  const count = readSync(file, bytes, 0, bytes.length, sample * 2);
  if (count < 2) return null;
  return Float32Array.from({ length: WINDOW_SIZE }, (_, index) => bytes.readInt16LE(index * 2) / 32_768);
}

function recogniseAudio(
  sherpa: Sherpa,
  recognise: Recognise,
  model: SpeechModel,
  request: RecogniserRequest,
) {
  const config = {
    sileroVad: { model: join(request.model, model.vad), windowSize: WINDOW_SIZE, ...detectionOptions },
    sampleRate: SAMPLE_RATE,
    numThreads: 1,
    provider: 'cpu',
    debug: false,
  };
  const vad = new sherpa.Vad(config, 2 * MAX_SPEECH_SECONDS);
  sendAnswer({ type: 'loaded' });
  const reportAll = () => {
    while (!vad.isEmpty()) {
      const { samples, start } = vad.front(false);
      vad.pop();
      reportUtterance(recognise, samples, request.from + start);
    }
  };
  const file = openSync(request.audio, 'r');
  let [sample, reportedSample] = [request.from, request.from];
  // A piece ends in a pause, so that no word is cut.
  while (sample < request.until || vad.isDetected()) {
    const samples = readWindow(file, sample);
    if (!samples) break;
    vad.acceptWaveform(samples);
    sample += WINDOW_SIZE;
    reportAll();
    if (sample - reportedSample < REPORT_INTERVAL_SAMPLES) continue;
    reportedSample = sample;
    sendAnswer({ type: 'reached', at: sample });
  }
  vad.flush();
  reportAll();
  closeSync(file);
  sendAnswer({ type: 'done', at: sample });
}

async function main(): Promise<void> {
  const request = JSON.parse(process.argv[2] ?? '') as RecogniserRequest;
  const model = readModel(request.model);
  const { default: sherpa } = (await import('sherpa-onnx-node')) as unknown as { default: Sherpa };
  recogniseAudio(sherpa, openRecogniser(sherpa, model, request), model, request);
}

await main().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  sendAnswer({ type: 'unusable', reason: reason.slice(0, 1_000) });
  process.exitCode = 1;
});
