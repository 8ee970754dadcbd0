import type { InTransaction, SystemContext } from '@/lib/domain/context';
import type { EmbeddedSubtitles } from '@/lib/core/media/embedded-texts';
import { uniqueLabel, MAX_TRACKS } from './tracks';

/** Subtitles embedded in the file of an asset, converted to WebVTT. */
export interface TextOfFile extends Omit<EmbeddedSubtitles, 'index'> {
  /** Number of cues. */
  readonly cues: number;
  readonly text: string;
}

/** Replaces the subtitles of the previous file with those of the new file. Other tracks stay. */
export async function replaceTextsOfFile(
  { db, clock }: InTransaction<SystemContext>,
  assetId: string,
  texts: readonly TextOfFile[],
): Promise<void> {
  await db.assetTrack.deleteMany({ where: { assetId, ofFile: true } });
  if (texts.length === 0) return;
  const tracks = await db.assetTrack.findMany({
    where: { assetId },
    select: { label: true, isDefault: true },
  });
  const hasDefault = tracks.some(({ isDefault }) => isDefault);
  const labelledTracks: { readonly label: string }[] = [...tracks];
  for (const { label, isDefault, ...text } of texts.slice(0, Math.max(0, MAX_TRACKS - tracks.length))) {
    const track = { label: uniqueLabel(label, labelledTracks), isDefault: isDefault && !hasDefault };
    labelledTracks.push(track);
    const data = { ...text, ...track, assetId, ofFile: true, createdAt: clock.now() };
    await db.assetTrack.create({ data, select: { id: true } });
  }
}
