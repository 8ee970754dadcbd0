import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteFiles } from '@/lib/domain/backup';
import { readLogoToken, setLogo } from '@/lib/domain/brand';
import type { TeamContext, WorkerContext } from '@/lib/domain/context';
import { maxLogoBytes } from '@/lib/contract/accounts/brand';
import { AppError } from '@/lib/core/errors';
import { logoKey } from '@/lib/core/storage-keys';
import { clientAddressFrom } from '@/lib/infra/egress/ip-address';
import { newPlaybackId } from '@/lib/infra/ids';
import { type LogoFormat, logoPlan } from '@/media-worker/media/ffmpeg/logo-args';
import { runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { Semaphore } from '@/media-worker/media/ffmpeg/semaphore';
import {
  errorAnswer,
  jsonAnswer,
  queryValue,
  refusalAnswer,
  type Answer,
} from '@/media-worker/kit/http/answer';
import { UploadBodyError } from './upload-body';
import { answerToBody } from './put-refusals';
import { uploadLimits, withBody } from './upload-put';

const timeoutMs = 15_000;
const sandbox = { memory: 1_000_000_000, fileSize: 4_194_304, cpuSeconds: 10 };
/** Every account may send some; more than this at once wait. */
const converting = new Semaphore(2);

/**
 * Handles a PUT to the URL of a logo upload: 200 once pages show it. What is stored is always made by ffmpeg, whatever
 * the file said it was.
 */
export async function putLogo(ctx: WorkerContext, request: IncomingMessage): Promise<Answer> {
  const token = queryValue(request.url, 'token') ?? '';
  const claims = readLogoToken(ctx.secrets, token, ctx.clock.now().getTime());
  if (!claims) {
    const advice = 'Request a new one with POST /api/user/brand/logo.';
    return errorAnswer(403, `This upload URL is invalid or has expired. ${advice}`);
  }
  if (Number(request.headers['content-length'] ?? 0) > maxLogoBytes) {
    return answerToBody(new UploadBodyError('too_large'), maxLogoBytes);
  }
  const { teamId, keyId, userId } = claims;
  const ip = clientAddressFrom(ctx.settings.trustedProxies)(request);
  const actor = keyId === null ? ({ kind: 'session' } as const) : ({ kind: 'key', keyId } as const);
  const person = userId === null ? {} : { userId };
  const owner = { ...ctx, actor: { ...actor, ...person, teamId, ip } };
  const receiving = { maxBytes: maxLogoBytes, limits: uploadLimits, signal: new AbortController().signal };
  try {
    return await withBody(ctx, request, receiving, (path) => takeLogo(owner, path));
  } catch (error) {
    if (error instanceof UploadBodyError) return answerToBody(error, maxLogoBytes);
    if (error instanceof AppError) return refusalAnswer(error);
    ctx.log.warn({ err: error }, 'logo not stored');
    return errorAnswer(503, 'The logo could not be stored. Send it again to the same URL.', {
      'Retry-After': 5,
    });
  }
}

async function takeLogo(ctx: TeamContext & Pick<WorkerContext, 'storage'>, path: string): Promise<Answer> {
  const format = formatOf(await firstBytes(path));
  if (!format) return errorAnswer(422, 'The logo must be a PNG, JPEG or WebP image.');
  const png = await converting.take(() => convert(path, format));
  if (!png) return errorAnswer(422, 'The image is damaged, animated or too large. Try a smaller PNG.');
  const file = `${newPlaybackId()}.png`;
  await ctx.storage.put(logoKey(file), png, { contentType: 'image/png' });
  // If this fails, the daily search for files without an owner removes the new one; during a backup, the old one.
  const before = await setLogo(ctx, file);
  if (before !== null) await deleteFiles(ctx, logoKey(before));
  return jsonAnswer(200, { logoUrl: `${ctx.settings.cdnUrl}/brand/${file}` });
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** By the signature of the file: its name and type are only what its sender says. */
function formatOf(bytes: Buffer): LogoFormat | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'png_pipe';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg_pipe';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'webp_pipe' : null;
}

/** @returns null for what is no picture */
async function convert(input: string, format: LogoFormat): Promise<Buffer | null> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-logo-'));
  try {
    const output = join(folder, 'logo.png');
    const signal = AbortSignal.timeout(timeoutMs);
    const { ok } = await runFfmpeg(logoPlan(input, format, output), { sandbox, signal }).done;
    const bytes = ok ? await readFile(output).catch(() => null) : null;
    return bytes?.subarray(0, 8).equals(pngSignature) ? bytes : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
