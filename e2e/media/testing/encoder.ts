import { test } from '@playwright/test';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Creates a file of 20 s with H.264 and AAC at 30 fps. An existing file of an earlier test or run is used again.
 * @param gop seconds between keyframes
 */
export async function createSourceFile({ size = '640x360', gop = 2 } = {}): Promise<string> {
  const file = join(tmpdir(), `media-test-source-${size}-${gop}.mp4`);
  if (existsSync(file)) return file;
  const temporaryFile = join(tmpdir(), `media-test-${process.pid}-${size}-${gop}.mp4`);
  await run('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30`],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-t', '20', '-pix_fmt', 'yuv420p'],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      `${gop * 30}`,
      '-keyint_min',
      `${gop * 30}`,
      '-sc_threshold',
      '0',
    ],
    ...['-c:a', 'aac', temporaryFile],
  ]);
  await rename(temporaryFile, file);
  return file;
}

/** An ffmpeg that publishes a file in real time in a loop. */
export class Encoder {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #output = '';

  constructor(source: string, url: string, outputArgs: readonly string[] = ['-c', 'copy']) {
    const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', source, ...outputArgs, '-f', 'flv', url];
    this.#child = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr?.on('data', (text: Buffer) => (this.#output += text.toString()));
    this.#exit = once(this.#child, 'exit');
  }

  /** Warnings and errors of ffmpeg. */
  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Waits until ffmpeg has exited. */
  async whenEnded(): Promise<void> {
    if (this.isRunning) await this.#exit;
  }

  /** Unpublishes, like an encoder whose user presses "stop". */
  async stop(): Promise<void> {
    this.#child.kill('SIGINT');
    await this.whenEnded();
  }

  /** Breaks the connection without unpublishing. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.whenEnded();
  }

  /** Keeps the connection open and sends nothing. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  /** Continues to send after `freeze`. */
  thaw(): void {
    this.#child.kill('SIGCONT');
  }
}

/**
 * Creates a function for the tests of one file that starts an encoder, with the arguments of `Encoder`. Encoders are
 * killed after the test that started them.
 */
export function setUpEncoders() {
  const encoders: Encoder[] = [];
  test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));
  return (...options: ConstructorParameters<typeof Encoder>): Encoder => {
    const encoder = new Encoder(...options);
    encoders.push(encoder);
    return encoder;
  };
}

export interface ProbedStream {
  readonly codec_name: string;
  readonly width?: number;
  readonly height?: number;
}

/** Finds the tracks of a URL or file with ffprobe. */
export async function probeStreams(url: string): Promise<ProbedStream[]> {
  const { stdout } = await run('ffprobe', [
    ...['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'json'],
    url,
  ]);
  return (JSON.parse(stdout) as { streams: ProbedStream[] }).streams;
}

/**
 * Decodes the first `seconds` of a URL or file with ffmpeg.
 * @returns its warnings and errors, without known warnings; empty if there are none
 */
export async function readDecoderWarnings(url: string, seconds: number): Promise<string> {
  // Original timestamps are kept, because ffmpeg would guess a frame rate across a pause and round some of them to equal
  // times.
  const keepTimestamps = ['-fps_mode', 'passthrough', '-enc_time_base', '-1'];
  const args = ['-v', 'warning', '-i', url, '-t', `${seconds}`, ...keepTimestamps, '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', args);
  // ffmpeg 5 reads the init segment again at every reload of a live playlist, and warns about it. It also warns if later
  // segments reorder more frames than the first init segment announces.
  const knownWarning = /duplicated MOOV Atom|video_delay is larger|upload a sample|Last message repeated/;
  return stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !knownWarning.test(line))
    .join('\n');
}
