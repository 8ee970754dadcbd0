import { access, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completeTranscription, readInputAsset, cuesProblem, type Transcription } from '@/lib/domain/assets';
import { primaryLanguage } from '@/lib/core/captions/track-language';
import { createSpeechCues, type Utterance } from '@/lib/core/speech/speech-cues';
import { createOutputError, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { planSpeech } from '@/media-worker/media/ffmpeg/speech-args';
import { SAMPLE_RATE } from '@/media-worker/vod/speech/messages';
import {
  createRecogniser,
  type RecognisedPiece,
  type Recognise,
} from '@/media-worker/vod/speech/run-recogniser';
import { ServiceFault, TaskFailure, type TaskHandler, type TaskJob } from '@/media-worker/vod/tasks/task-job';

/** Task progress, 0 to 1, after the audio is extracted. */
const AUDIO_PROGRESS = 0.05;
/**
 * Samples in a piece: few enough that a crash or a released slot loses little work, and enough that loading a model
 * for each piece costs little.
 */
const PIECE_SAMPLES = 300 * SAMPLE_RATE;
/** More threads hardly speed up recognition. */
const MAX_THREADS = 4;
const BYTES_PER_SAMPLE = 2;

/** Adds a text track with the speech of an asset. */
export const transcribeAssetJob =
  (recognise: Recognise = createRecogniser()): TaskHandler =>
  async (job) => {
    const { ctx, task, scratch } = job;
    const { speech } = ctx.settings;
    if (!speech) throw new ServiceFault('speech recognition is switched off on this server');
    const input = await readInputAsset(ctx, task);
    if (!input) throw new TaskFailure('the asset to transcribe is gone');
    const audioPath = join(scratch, 'audio.pcm');
    if (!(await fileExists(audioPath))) {
      await ctx.storage.withFile(input.videoKey, (path) =>
        extractAudio(job, path, audioPath, input.spec.duration),
      );
    }
    const { language } = (task.params as { transcribe: Transcription }).transcribe;
    const request = { model: speech.modelDir, audio: audioPath, language: primaryLanguage(language) };
    const utterances = await recogniseAll(job, request, recognise);
    const cues = createSpeechCues(utterances);
    const rejection = cuesProblem(cues) ?? (await completeTranscription(ctx, task, cues));
    if (rejection !== null) throw new TaskFailure(rejection);
  };

const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Writes the audio to the file `audio`, as 16-bit samples without a header, which the recogniser reads. */
async function extractAudio(
  { signal, report, scratch }: TaskJob,
  input: string,
  audio: string,
  duration: number,
): Promise<void> {
  const partPath = `${audio}.part`;
  await runFfmpegJob(planSpeech(input, partPath), {
    signal,
    durationSeconds: duration,
    onProgress: ({ seconds }) => report(AUDIO_PROGRESS * Math.min(1, seconds / Math.max(duration, 1))),
  });
  if ((await stat(partPath)).size === 0) throw await createOutputError(scratch, 'the audio is empty');
  await rename(partPath, audio);
}

/** Recognises speech in pieces and stores their results, so that a later run continues after the last piece. */
async function recogniseAll(
  { ctx, signal, report, yieldSlot, scratch }: TaskJob,
  request: { readonly model: string; readonly audio: string; readonly language: string },
  recognise: Recognise,
): Promise<Utterance[]> {
  const sampleCount = Math.floor((await stat(request.audio)).size / BYTES_PER_SAMPLE);
  const threads = Math.max(1, Math.min(MAX_THREADS, Math.floor(ctx.settings.transcodeCores)));
  const onReached = (sample: number) =>
    report(AUDIO_PROGRESS + (1 - AUDIO_PROGRESS) * Math.min(1, sample / sampleCount));
  const utterances: Utterance[] = [];
  for (let pieceStart = 0; pieceStart < sampleCount;) {
    const piecePath = join(scratch, `speech-${pieceStart}.json`);
    let piece = await readPiece(piecePath);
    if (!piece) {
      if (pieceStart > 0) await yieldSlot();
      const pieceEnd = Math.min(sampleCount, pieceStart + PIECE_SAMPLES);
      const samples = { from: pieceStart, until: pieceEnd };
      piece = await recognise({ ...request, ...samples, threads }, { signal, onReached });
      await writeFile(`${piecePath}.part`, JSON.stringify(piece));
      await rename(`${piecePath}.part`, piecePath);
    }
    utterances.push(...piece.utterances);
    // The recogniser may stop at a pause before the end of the piece.
    pieceStart = Math.max(piece.at, pieceStart + 1);
    onReached(pieceStart);
  }
  return utterances;
}

async function readPiece(path: string): Promise<RecognisedPiece | null> {
  if (!(await fileExists(path))) return null;
  return JSON.parse(await readFile(path, 'utf8')) as RecognisedPiece;
}
