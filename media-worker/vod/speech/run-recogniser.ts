import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Utterance } from '@/lib/core/speech/speech-cues';
import { openSandbox } from '@/media-worker/media/ffmpeg/wrapper';
import { ANSWER_FD, SAMPLE_RATE, type RecogniserAnswer, type RecogniserRequest } from './messages';

/** The recogniser ended during its work, possibly because of this audio, so only a few attempts are made. */
export class RecogniserFailed extends Error {
  override readonly name = 'RecogniserFailed';
}

/**
 * The model or its library cannot be loaded, or the recogniser was killed, which does not mean that the audio is
 * invalid.
 */
class RecogniserFault extends Error {
  override readonly name = 'RecogniserFault';
  constructor(
    readonly userMessage: string,
    options: ErrorOptions = {},
  ) {
    super(userMessage, options);
  }
}

export interface RecogniserRun {
  readonly signal: AbortSignal;
  /** Called with the position reached, in samples. */
  readonly onReached: (sample: number) => void;
}

export interface RecognisedPiece {
  readonly utterances: readonly Utterance[];
  /** Where the next piece starts, in samples. */
  readonly at: number;
}

/**
 * Recognises the speech in one piece of audio.
 * @throws RecogniserFailed, RecogniserFault, or the signal's reason
 */
export type Recognise = (
  request: RecogniserRequest,
  recogniserRun: RecogniserRun,
) => Promise<RecognisedPiece>;

/** Large models need 3 GB; the jobs role and live streams need the rest of a usual machine. */
const limits = { memory: 6_000_000_000, fileSize: 1_048_576, nice: 15 };
/** Maximum time without an answer, ms; loading a model from a slow disk takes a minute. */
const ANSWER_TIMEOUT_MS = 600_000;
/** Maximum time of a recognition, as a multiple of the audio's duration; slower models are useless. */
const MAX_TIMES_REAL_TIME = 20;
/** Maximum bytes of the answers about one piece. */
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
/** Maximum number of characters of a recogniser's messages in the log. */
const MAX_ERROR_LENGTH = 1_000;
/** Whether the system killed the program, directly or below a shell, which exits with 128 plus the signal number. */
const isKilled = (code: number | null, signal: string | null) =>
  signal === 'SIGKILL' || signal === 'SIGTERM' || code === 137 || code === 143;

/** The program built by scripts/service/build.ts, in the folder of the media worker. */
const builtProgram = join(import.meta.dirname, 'recogniser.js');

/** Files that the program loads: its folder, its package file, and the library. */
function programFilesOf(program: string): string[] {
  const { resolve } = createRequire(import.meta.url);
  const platform = `sherpa-onnx-${process.platform}-${process.arch}`;
  const packages = ['sherpa-onnx-node', platform].map((name) => {
    try {
      return dirname(resolve(`${name}/package.json`));
    } catch {
      // The library is optional: the program reports that it cannot load it.
      return '';
    }
  });
  const folder = dirname(program);
  return [folder, join(folder, '..', 'package.json'), ...packages].filter((path) => existsSync(path));
}

const answerSchema: z.ZodType<RecogniserAnswer> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('loaded') }),
  z.object({ type: z.literal('unusable'), reason: z.string() }),
  z.object({
    type: z.literal('utterance'),
    startMs: z.number(),
    endMs: z.number(),
    text: z.string().max(20_000),
    words: z.array(z.object({ text: z.string(), startMs: z.number() })).max(2_000),
  }),
  z.object({ type: z.enum(['reached', 'done']), at: z.int() }),
]);

/**
 * Creates a function that recognises speech. It starts one recogniser per piece, in a sandbox without network, with
 * low priority and limits.
 * @param program JavaScript file that Node runs; tests replace it
 */
export const createRecogniser =
  (program = builtProgram): Recognise =>
  async (request, { signal, onReached }) => {
    signal.throwIfAborted();
    const files = { read: [request.model, request.audio], write: [], executable: programFilesOf(program) };
    const sandbox = openSandbox(process.execPath, limits, files);
    const failure = new AbortController();
    const timeouts = startTimeouts((request.until - request.from) / SAMPLE_RATE, failure);
    const child = spawn(sandbox.path, [program, JSON.stringify(request)], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, failure.signal]),
      killSignal: 'SIGKILL',
    });
    const state: RecogniserState = { isLoaded: false, utterances: [], at: null, unusable: null };
    const answers = child.stdio[ANSWER_FD] as Readable;
    let answerBytes = 0;
    answers.on('data', (chunk: Buffer) => {
      answerBytes += chunk.length;
      if (answerBytes > MAX_ANSWER_BYTES) failure.abort(new RecogniserFailed('its answer is too long'));
    });
    const lines = createInterface({ input: answers });
    lines.on('line', (line) => {
      timeouts.onAnswer();
      if (!applyAnswer(state, line, onReached)) failure.abort(new RecogniserFailed('its answer is invalid'));
    });
    try {
      const recogniserEnd = await waitForEnd(child);
      signal.throwIfAborted();
      if (failure.signal.aborted) throw failure.signal.reason;
      return resultOf(state, recogniserEnd);
    } finally {
      timeouts.close();
      lines.close();
      sandbox.close();
    }
  };

/** Starts timers that end a recogniser which takes too long in total, or between two answers. */
function startTimeouts(audioSeconds: number, ending: AbortController) {
  const timeOut = () => ending.abort(new RecogniserFault('speech recognition took too long'));
  const totalTimer = setTimeout(timeOut, audioSeconds * MAX_TIMES_REAL_TIME * 1_000 + ANSWER_TIMEOUT_MS);
  const answerTimer = setTimeout(timeOut, ANSWER_TIMEOUT_MS);
  return {
    onAnswer: () => void answerTimer.refresh(),
    close() {
      clearTimeout(totalTimer);
      clearTimeout(answerTimer);
    },
  };
}

interface RecogniserEnd {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly error: Error | null;
  /** The last messages of the recogniser's libraries. */
  readonly errorOutput: string;
}

function waitForEnd(child: ChildProcess): Promise<RecogniserEnd> {
  let errorOutput = '';
  let error: Error | null = null;
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-MAX_ERROR_LENGTH)),
  );
  child.on('error', (cause) => (error = cause));
  return new Promise((resolve) => {
    child.once('close', (code, killedBy) => resolve({ code, killedBy, error, errorOutput }));
  });
}

/** The answers of a recogniser so far. */
interface RecogniserState {
  isLoaded: boolean;
  readonly utterances: Utterance[];
  /** Where the next piece starts, in samples; null until the recogniser is done. */
  at: number | null;
  /** Why the model cannot be used; null if it can. */
  unusable: string | null;
}

/**
 * Applies one answer of the recogniser.
 * @returns false if it is invalid
 */
function applyAnswer(state: RecogniserState, line: string, onReached: (sample: number) => void): boolean {
  const answer = answerSchema.safeParse(parseJson(line)).data;
  if (!answer) return false;
  if (answer.type === 'loaded') state.isLoaded = true;
  else if (answer.type === 'unusable') state.unusable = answer.reason;
  else if (answer.type === 'utterance') state.utterances.push(answer);
  else if (answer.type === 'done') state.at = answer.at;
  else onReached(answer.at);
  return true;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function resultOf(
  { isLoaded, utterances, at, unusable }: RecogniserState,
  { code, killedBy, error, errorOutput }: RecogniserEnd,
): RecognisedPiece {
  if (at !== null && code === 0) return { utterances, at };
  const cause = error ?? new Error(`ended with ${killedBy ?? `code ${code}`}: ${errorOutput}`);
  if (!isLoaded) {
    const detail = unusable === null ? cause : new Error(unusable, { cause });
    throw new RecogniserFault('the speech model of this server cannot be loaded', { cause: detail });
  }
  if (isKilled(code, killedBy)) throw new RecogniserFault('speech recognition was stopped', { cause });
  throw new RecogniserFailed(cause.message, { cause });
}
