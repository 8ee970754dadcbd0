/** A text track of an asset for players. */
export interface SubtitleTrack {
  readonly id: string;
  readonly kind: 'subtitles' | 'captions';
  /** BCP 47 tag. */
  readonly language: string;
  readonly label: string;
  readonly isDefault: boolean;
}

/** URIs of a text track, relative to the master playlist. The text of a track with an id never changes. */
export const subtitleFiles = (id: string) => ({
  playlist: `tracks/${id}.m3u8`,
  text: `tracks/${id}.vtt`,
});

const groupId = 'subtitles';
/** Attribute of captions, which also describe sounds (draft-pantos-hls-rfc8216bis §4.4.6.1). */
const soundCharacteristics =
  'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"';

/** Adds text tracks to all renditions of a master playlist (RFC 8216 §4.3.4.1). */
export function addSubtitles(masterPlaylist: string, tracks: readonly SubtitleTrack[]): string {
  if (tracks.length === 0) return masterPlaylist;
  const mediaLines = tracks.map(mediaLine);
  let areTracksListed = false;
  const lines = masterPlaylist.split('\n').flatMap((line) => {
    if (!line.startsWith('#EXT-X-STREAM-INF:')) return [line];
    const linesBefore = areTracksListed ? [] : mediaLines;
    areTracksListed = true;
    return [...linesBefore, `${line},SUBTITLES="${groupId}"`];
  });
  return lines.join('\n');
}

function mediaLine({ id, kind, language, label, isDefault }: SubtitleTrack): string {
  const attributes = [
    'TYPE=SUBTITLES',
    `GROUP-ID="${groupId}"`,
    // Quoted strings must not contain quotation marks or line breaks (RFC 8216 §4.2).
    `NAME="${label.replaceAll(/["\r\n]/g, '”')}"`,
    `LANGUAGE="${language}"`,
    `DEFAULT=${isDefault ? 'YES' : 'NO'}`,
    'AUTOSELECT=YES,FORCED=NO',
    ...(kind === 'captions' ? [soundCharacteristics] : []),
    `URI="${subtitleFiles(id).playlist}"`,
  ];
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

/**
 * Formats the playlist of a text track, with its whole text as one segment.
 * @param durationSeconds duration of the video
 */
export function formatSubtitlePlaylist(id: string, durationSeconds: number): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(durationSeconds))}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${durationSeconds.toFixed(3)},`,
    `${id}.vtt`,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}
