import { MINUTE_MS } from '@/lib/core/units';
import type { WorkerContext } from '@/lib/domain/context';
import { hlsFolder, mp4File, parseSegmentName } from '@/lib/core/sessions/recorded-segment';
import type { RecordingState } from '@/lib/core/sessions/recording-state';
import {
  assetKey,
  indexKey,
  ipfsArchiveKey,
  ipfsKey,
  posterKey,
  recordingKey,
  renditionRoot,
  slateKey,
} from '@/lib/core/storage-keys';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { isPosterUsed } from '@/lib/domain/assets';
import { isUuid } from '@/lib/infra/ids';
import { findUnownedLocalFiles, type AuditFinding } from './local-files';

interface StorageAudit {
  /** Files without a row. */
  readonly unowned: readonly AuditFinding[];
  /** Files that rows reference but that do not exist. */
  readonly missing: readonly AuditFinding[];
}

/** Minimum age of a change; more recent changes may still be in progress. */
const MIN_AGE_MS = 5 * MINUTE_MS;
const BATCH_SIZE = 500;

/**
 * Compares rows and files: lists every object once and checks every ready asset and recording. Read-only; may run while
 * the service runs.
 */
export async function auditStorage(ctx: WorkerContext): Promise<StorageAudit> {
  const unowned: AuditFinding[] = [];
  for await (const finding of findUnownedObjects(ctx)) unowned.push(finding);
  for await (const finding of findUnownedLocalFiles(ctx)) unowned.push(finding);
  const missing: AuditFinding[] = [];
  for await (const finding of findMissingAssetFiles(ctx)) missing.push(finding);
  for await (const finding of findMissingRecordingFiles(ctx)) missing.push(finding);
  return { unowned, missing };
}

async function* findUnownedObjects(ctx: WorkerContext): AsyncGenerator<AuditFinding> {
  /** Functions that return why the object with a name is not needed; null if it is needed. */
  const checks = {
    'asset/': checkAsset,
    [renditionRoot]: checkAsset,
    'brand/': checkLogo,
    'slate/': checkSlatePicture,
    'poster/': checkPoster,
    'directUpload/': checkUpload,
    'recording/': checkRecording,
    'ipfs/': checkIpfs,
    'ipfs-archive/': checkIpfs,
  } as const;
  for (const [prefix, check] of Object.entries(checks)) {
    let lastName: string | undefined;
    for await (const { key } of ctx.storage.list(prefix)) {
      const [name = ''] = key.slice(prefix.length).split('/', 1);
      if (name === lastName) continue;
      lastName = name;
      const reason = await check(ctx, name);
      if (reason !== null) yield { key: `${prefix}${name}`, reason };
    }
  }
}

async function checkAsset({ db }: WorkerContext, id: string): Promise<string | null> {
  const where = { OR: [{ id, filesId: null }, { filesId: id }] };
  const row = isUuid(id) ? await db.asset.findFirst({ where }) : null;
  if (!row) return 'no asset has its files here';
  return row.bytesRemovedAt === null ? null : 'the files of this asset were removed';
}

async function checkLogo({ db }: WorkerContext, file: string): Promise<string | null> {
  return (await db.team.count({ where: { brandLogo: file } })) > 0 ? null : 'no team has this logo';
}

async function checkSlatePicture({ db }: WorkerContext, file: string): Promise<string | null> {
  const where = { slatePictureKey: slateKey(file), deletedAt: null };
  return (await db.stream.count({ where })) > 0 ? null : 'no stream has this picture';
}

async function checkPoster(ctx: WorkerContext, file: string): Promise<string | null> {
  return (await isPosterUsed(ctx, posterKey(file))) ? null : 'no stream or asset has this poster';
}

async function checkUpload({ db, clock }: WorkerContext, playbackId: string): Promise<string | null> {
  const row = await db.asset.findFirst({ where: { playbackId, bytesRemovedAt: null } });
  if (!row) return 'no asset has this playback id';
  const hasSettled = clock.now().getTime() - row.statusUpdatedAt.getTime() > MIN_AGE_MS;
  const isInUse = row.sourceKey === uploadedObjectKey(playbackId);
  return row.phase === 'ready' && hasSettled && !isInUse ? 'the asset was made of it' : null;
}

async function checkRecording({ db, clock }: WorkerContext, id: string): Promise<string | null> {
  const row = isUuid(id) ? await db.session.findUnique({ where: { id } }) : null;
  if (!row) return 'no session has this id';
  if (row.recordingRemovedAt !== null) return 'the recording of this session was removed';
  const since = (row.endedAt ?? clock.now()).getTime();
  if (clock.now().getTime() - since < MIN_AGE_MS) return null;
  return ['none', 'empty', 'deleted'].includes(row.recording) ? 'this session has no recording' : null;
}

async function checkIpfs({ db }: WorkerContext, cid: string): Promise<string | null> {
  const whereReferenced = { OR: [{ cid }, { nftMetadataCid: cid }], bytesRemovedAt: null };
  if ((await db.asset.count({ where: whereReferenced })) > 0) return null;
  // An export stores its copy before the asset references it.
  const unfinishedExports = { type: 'export', phase: { in: [...unfinishedTaskPhases] } };
  return (await db.task.count({ where: unfinishedExports })) > 0 ? null : 'no asset names this copy';
}

async function* findMissingAssetFiles(ctx: WorkerContext): AsyncGenerator<AuditFinding> {
  const where = { phase: 'ready', bytesRemovedAt: null } as const;
  for await (const row of readAllRows((page) => ctx.db.asset.findMany({ ...page, where }))) {
    const keys = [row.sourceKey, row.videoKey].flatMap((key) => key ?? []);
    keys.push(await readHlsKey(ctx, row.filesId ?? row.id));
    for (const cid of [row.cid, row.nftMetadataCid])
      if (cid !== null) keys.push(ipfsKey(cid), ipfsArchiveKey(cid));
    yield* findMissingKeys(ctx, keys, `asset ${row.id} needs it`);
  }
}

/** Storage key from which an asset's HLS is served: its index, or a copy. */
async function readHlsKey({ storage }: WorkerContext, filesId: string): Promise<string> {
  const copy = assetKey(filesId, 'hls/index.m3u8');
  return (await storage.head(copy)) ? copy : indexKey(filesId);
}

async function* findMissingRecordingFiles(ctx: WorkerContext): AsyncGenerator<AuditFinding> {
  const storedStates: RecordingState[] = ['importing', 'ready'];
  const where = { recording: { in: storedStates }, recordingRemovedAt: null };
  for await (const { id } of readAllRows((page) => ctx.db.session.findMany({ ...page, where }))) {
    yield* findMissingKeys(
      ctx,
      [mp4File, `${hlsFolder}index.m3u8`].map((file) => recordingKey(id, file)),
      `the recording of session ${id} needs it`,
    );
    yield* findUnlistedSegments(ctx, id);
  }
}

/** Segments of a recording that its source playlist does not list, or lists without a file. */
async function* findUnlistedSegments({ storage }: WorkerContext, id: string): AsyncGenerator<AuditFinding> {
  const prefix = recordingKey(id, `${hlsFolder}source/`);
  const playlist = await storage.read(`${prefix}index.m3u8`);
  if (!playlist) return;
  const text = Buffer.concat((await playlist.toArray()) as Buffer[]).toString();
  const listedNames = new Set(text.split('\n').filter((line) => parseSegmentName(line.trim()) !== null));
  for await (const { key } of storage.list(prefix)) {
    const name = key.slice(prefix.length);
    if (parseSegmentName(name) && !listedNames.delete(name))
      yield { key, reason: `stored, but not in the playlist of session ${id}` };
  }
  for (const name of listedNames)
    yield { key: `${prefix}${name}`, reason: `in the playlist of session ${id}, but not stored` };
}

async function* findMissingKeys(
  { storage }: WorkerContext,
  keys: readonly string[],
  reason: string,
): AsyncGenerator<AuditFinding> {
  for (const key of new Set(keys)) if (!(await storage.head(key))) yield { key, reason };
}

/** All rows, read in pages. */
async function* readAllRows<Row extends { readonly id: string }>(
  readPage: (page: {
    readonly take: number;
    readonly orderBy: { readonly id: 'asc' };
    readonly cursor?: { readonly id: string };
    readonly skip?: number;
  }) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let lastId: string | undefined;
  do {
    const rows: readonly Row[] = await readPage({
      take: BATCH_SIZE,
      orderBy: { id: 'asc' },
      ...(lastId === undefined ? {} : { cursor: { id: lastId }, skip: 1 }),
    });
    yield* rows;
    lastId = rows.length < BATCH_SIZE ? undefined : rows.at(-1)?.id;
  } while (lastId !== undefined);
}
