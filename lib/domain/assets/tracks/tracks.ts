import { recordAudit } from '@/lib/domain/audit';
import { type SystemContext, type TeamContext, transact, type InTransaction } from '@/lib/domain/context';
import type {
  Track,
  addTrack as addEndpoint,
  updateTrack as updateEndpoint,
} from '@/lib/contract/assets/track';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import { type Cue, captionLimits, parseCaptionFile, formatWebVtt } from '@/lib/core/captions/caption-file';
import { languageName } from '@/lib/core/captions/track-language';
import { AppError, notFound } from '@/lib/core/errors';
import type { SubtitleTrack } from '@/lib/core/hls/subtitles';
import type { AssetTrack, Prisma } from '@/lib/generated/prisma/client';
import { requireAsset } from '../internal';
import { emitAssetEvent } from '../serialize';
import { downloadText } from './download-text';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Maximum tracks per asset. More would make its playlist too long. */
export const MAX_TRACKS = 50;

/** A track without its WebVTT, which may have megabytes. */
type TrackRow = Omit<AssetTrack, 'text'>;
const omitText = { text: true } as const;

const serialize = ({
  id,
  kind,
  language,
  label,
  isDefault,
  cues,
  generated,
  createdAt,
}: TrackRow): Track => ({
  id,
  kind: kindOf(kind),
  language,
  label,
  default: isDefault,
  cues,
  generated,
  createdAt: createdAt.getTime(),
});

const kindOf = (kind: string): Track['kind'] => (kind === 'captions' ? 'captions' : 'subtitles');

/** @throws AppError `not_found` */
export async function listTracks(ctx: TeamContext, assetId: string): Promise<Track[]> {
  await requireAsset(ctx, assetId);
  const rows = await ctx.db.assetTrack.findMany({ where: { assetId }, orderBy, omit: omitText });
  return rows.map(serialize);
}

const orderBy: Prisma.AssetTrackOrderByWithRelationInput[] = [{ createdAt: 'asc' }, { id: 'asc' }];

/**
 * Adds a WebVTT or SubRip file to an asset in any phase.
 * @throws AppError `not_found`, `invalid` (the file), `conflict` (the label is used, or there are too many tracks)
 */
export async function addTrack(
  ctx: TeamContext,
  { id: assetId, track }: { readonly id: string; readonly track: BodyOf<typeof addEndpoint> },
): Promise<Track & { warnings?: string[] }> {
  await requireAsset(ctx, assetId);
  const { language, kind = 'subtitles', label = languageName(language), default: isDefault = false } = track;
  const file = track.url === undefined ? (track.body ?? '') : await downloadText(ctx, track.url);
  const { cues, text, warnings } = toWebVtt(file, track.url === undefined ? 'body' : 'url');
  return transact(ctx, async (tx) => {
    const otherTracks = await lockTracks(tx, assetId);
    requireRoom(otherTracks, label);
    if (isDefault) await clearDefault(tx, assetId);
    const data = { assetId, kind, language, label, isDefault, cues, text, createdAt: ctx.clock.now() };
    const row = await tx.db.assetTrack.create({ data, omit: omitText });
    await recordTrackChange(tx, assetId, 'asset.track-added');
    return { ...serialize(row), ...(warnings.length === 0 ? {} : { warnings }) };
  });
}

/**
 * Converts a WebVTT or SubRip file to WebVTT.
 * @returns `cues` is their number, `warnings` are messages about skipped cues
 * @throws AppError `invalid`
 */
function toWebVtt(
  file: string,
  field: 'body' | 'url',
): { readonly cues: number; readonly text: string; readonly warnings: string[] } {
  const { cues, skipped: skippedLines = [] } = readCues(file, field);
  const text = formatWebVtt(cues);
  // Escaping makes the text longer than the input.
  if (text.length <= captionLimits.characters * 2)
    return { cues: cues.length, text, warnings: skippedCuesWarnings(skippedLines) };
  throw new AppError('invalid', { field, message: 'is too long as WebVTT' });
}

/**
 * Reads a WebVTT or SubRip file.
 * @throws AppError `invalid`, naming the field and the line
 */
export const parseCues = (file: string, field: string): readonly Cue[] => readCues(file, field).cues;

function readCues(file: string, field: string) {
  const parsedFile = parseCaptionFile(file);
  if ('cues' in parsedFile) return parsedFile;
  const problem = {
    no_cues: 'has no cues. Send a WebVTT or SubRip file in UTF-8',
    bad_time: `line ${parsedFile.line}: must have times such as 00:01:02.500 --> 00:01:04.000`,
    ends_early: `line ${parsedFile.line}: must end after it starts`,
    too_many: `has more than ${captionLimits.cues} cues`,
  }[parsedFile.problem];
  throw new AppError('invalid', { field, message: problem });
}

const MAX_NAMED_LINES = 10;

function skippedCuesWarnings(lines: readonly number[]): string[] {
  if (lines.length === 0) return [];
  const lineList = `${lines.slice(0, MAX_NAMED_LINES).join(', ')}${lines.length > MAX_NAMED_LINES ? ', …' : ''}`;
  const cues =
    lines.length === 1
      ? '1 cue that does not end after it starts was'
      : `${lines.length} cues that do not end after they start were`;
  return [`${cues} skipped, at line ${lineList}`];
}

interface TrackPath {
  readonly id: string;
  readonly trackId: string;
}

/** @throws AppError `not_found`, `conflict` (the label is used) */
export async function updateTrack(
  ctx: TeamContext,
  { id: assetId, trackId, change }: TrackPath & { readonly change: BodyOf<typeof updateEndpoint> },
): Promise<Track> {
  return transact(ctx, async (tx) => {
    const tracks = await lockTracks(tx, assetId);
    const previousTrack = tracks.find(({ id }) => id === trackId);
    if (!previousTrack) throw notFound();
    const { label, default: isDefault } = change;
    if (label === undefined && isDefault === undefined) return serialize(previousTrack);
    const otherTracks = tracks.filter(({ id }) => id !== trackId);
    if (label !== undefined) requireFreeLabel(otherTracks, label);
    if (isDefault) await clearDefault(tx, assetId);
    const data = {
      ...omitUndefined({ label }),
      ...omitUndefined({ isDefault }),
    };
    const row = await tx.db.assetTrack.update({ where: { id: trackId }, data, omit: omitText });
    await recordTrackChange(tx, assetId, 'asset.track-updated');
    return serialize(row);
  });
}

/** @throws AppError `not_found` */
export async function deleteTrack(ctx: TeamContext, { id: assetId, trackId }: TrackPath): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockTracks(tx, assetId);
    const { count } = await tx.db.assetTrack.deleteMany({ where: { id: trackId, assetId } });
    if (count === 0) throw notFound();
    await recordTrackChange(tx, assetId, 'asset.track-deleted');
  });
}

/**
 * The tracks of a team's asset. Locks the asset, so that other changes to its tracks wait for this transaction.
 * @throws AppError `not_found`
 */
async function lockTracks(tx: InTransaction<TeamContext>, assetId: string): Promise<TrackRow[]> {
  await tx.db.$queryRaw`select 1 from "Asset" where "id" = ${assetId}::uuid for no key update`;
  await requireAsset(tx, assetId);
  return tx.db.assetTrack.findMany({ where: { assetId }, orderBy, omit: omitText });
}

/** @throws AppError `conflict` */
function requireRoom(otherTracks: readonly Pick<TrackRow, 'label'>[], label: string): void {
  if (otherTracks.length >= MAX_TRACKS)
    throw new AppError('conflict', `an asset can have at most ${MAX_TRACKS} tracks`);
  requireFreeLabel(otherTracks, label);
}

/**
 * Checks that the asset can take another track with this label.
 * @throws AppError `conflict`
 */
export async function requireRoomForTrack(
  tx: InTransaction<TeamContext>,
  assetId: string,
  label: string,
): Promise<void> {
  requireRoom(await lockTracks(tx, assetId), label);
}

function requireFreeLabel(otherTracks: readonly Pick<TrackRow, 'label'>[], label: string): void {
  if (otherTracks.some((track) => track.label === label))
    throw new AppError('conflict', { field: 'label', message: 'another track of this asset has this label' });
}

/** A label that no other track has, with a number appended if needed. */
export function uniqueLabel(label: string, existingLabels: readonly { readonly label: string }[]): string {
  const takenLabels = new Set(existingLabels.map((track) => track.label));
  const numberedLabel = (n: number) => (n === 1 ? label : `${label} ${n}`);
  let n = 1;
  while (takenLabels.has(numberedLabel(n))) n++;
  return numberedLabel(n);
}

const clearDefault = (tx: InTransaction<TeamContext>, assetId: string) =>
  tx.db.assetTrack.updateMany({ where: { assetId, isDefault: true }, data: { isDefault: false } });

type TrackAction = 'asset.track-added' | 'asset.track-updated' | 'asset.track-deleted';

async function recordTrackChange(
  tx: InTransaction<TeamContext>,
  assetId: string,
  action: TrackAction,
): Promise<void> {
  await recordAudit(tx, { action, objectId: assetId });
  await emitAssetEvent(tx, 'asset.updated', await requireAsset(tx, assetId));
}

/** Prisma `select` of the tracks that players offer. */
export const playedTracks = {
  select: { id: true, kind: true, language: true, label: true, isDefault: true },
  orderBy,
} satisfies Prisma.Asset$tracksArgs;

type PlayedTrack = Prisma.AssetTrackGetPayload<typeof playedTracks>;

/** A track as HLS playlists and players need it. */
export const subtitleTrackOf = ({ kind, ...track }: PlayedTrack): SubtitleTrack => ({
  ...track,
  kind: kindOf(kind),
});

/** The WebVTT of a track that `locateAsset` lists; null if it was deleted since. */
export async function readTrackText(ctx: SystemContext, id: string): Promise<string | null> {
  const row = await ctx.db.assetTrack.findUnique({ where: { id }, select: { text: true } });
  return row?.text ?? null;
}
