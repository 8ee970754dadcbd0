interface CaptionTrack {
  /** Index in the text tracks of the <video>. */
  readonly index: number;
  readonly label: string;
}

/** Captions of the current video, and functions that change them. */
export interface Captions {
  readonly tracks: readonly CaptionTrack[];
  /** Index of the track on screen; -1 = off. */
  readonly shownTrack: number;
  /** Shows the track with this index; -1 = off. */
  readonly choose: (index: number) => void;
  /** Turns captions off, or on with the track that the viewer chose last on this page, else with the first track. */
  readonly toggle: () => void;
}

/** Storage key of the caption language that the viewer chose last, for all videos of this site. */
const STORAGE_KEY = 'headwater.captions';
/** Stored value if the viewer turned captions off. */
const OFF = '';

/**
 * Stores the caption language for later videos.
 * @param language language of the chosen captions; null = off; empty = unknown, which says nothing about other videos
 */
function storePreferredLanguage(language: string | null): void {
  try {
    if (language === '') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, language ?? OFF);
  } catch {
    // Storage is blocked: the choice applies to this video only.
  }
}

/**
 * Index of the track in the stored language; -1 if captions are off; null if the default of the video applies.
 * @param languages language of each text track; null for a track without captions
 */
function preferredTrack(languages: readonly (string | null)[]): number | null {
  const languageTag = storedLanguage();
  if (languageTag === null) return null;
  if (languageTag === OFF) return -1;
  const exactIndex = languages.indexOf(languageTag);
  if (exactIndex >= 0) return exactIndex;
  // A stored choice of American English also selects British English.
  const primarySubtag = (language: string) => language.split('-')[0];
  const similarIndex = languages.findIndex(
    (language) => language !== null && primarySubtag(language) === primarySubtag(languageTag),
  );
  return similarIndex >= 0 ? similarIndex : null;
}

/** Stored language tag; empty if captions are off; null if nothing is stored or the storage is blocked. */
function storedLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

const TRACK_EVENTS = ['addtrack', 'removetrack', 'change'] as const;

/**
 * Reports the caption tracks after each change, and shows the track in the viewer's preferred language.
 * @param isBeforeFirstFrame whether the video had no frame yet when its first track was added
 * @returns a function that stops reporting
 */
export function followCaptions(
  video: HTMLVideoElement,
  isBeforeFirstFrame: boolean,
  report: (captions: Captions) => void,
): () => void {
  const textTracks = video.textTracks;
  let lastChosenIndex = -1;
  const choose = (index: number) => {
    showTrack(textTracks, index);
    storePreferredLanguage(textTracks[index]?.language ?? null);
    if (index >= 0) lastChosenIndex = index;
  };
  const reportTracks = () => {
    const { tracks, shownTrack } = captionsIn(textTracks);
    const toggle = () => {
      const track = tracks.find(({ index }) => index === lastChosenIndex) ?? tracks[0];
      choose(shownTrack >= 0 ? -1 : (track?.index ?? -1));
    };
    report({ tracks, shownTrack, choose, toggle });
  };
  // The stored choice selects a track only before the first frame. Later changes are only reported.
  const update = (appliesStoredChoice: boolean) => {
    const index = appliesStoredChoice
      ? preferredTrack(Array.from(textTracks, (track) => (isCaption(track) ? track.language : null)))
      : null;
    if (index !== null) showTrack(textTracks, index);
    reportTracks();
  };
  const onTracksChanged = () => update(video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA);
  for (const name of TRACK_EVENTS) textTracks.addEventListener(name, onTracksChanged);
  update(isBeforeFirstFrame);
  return () => {
    for (const name of TRACK_EVENTS) textTracks.removeEventListener(name, onTracksChanged);
  };
}

const isCaption = ({ kind }: TextTrack): boolean => kind === 'subtitles' || kind === 'captions';

/** Tracks with captions or subtitles among all text tracks of a video, and the one that is shown. */
function captionsIn(textTrackList: TextTrackList): Pick<Captions, 'tracks' | 'shownTrack'> {
  const textTracks = Array.from(textTrackList);
  const tracks = textTracks.flatMap((track, index) =>
    isCaption(track) ? [{ index, label: track.label || track.language }] : [],
  );
  return {
    tracks,
    shownTrack: tracks.find(({ index }) => textTracks[index]?.mode === 'showing')?.index ?? -1,
  };
}

function showTrack(textTracks: TextTrackList, index: number): void {
  Array.from(textTracks).forEach((track, trackIndex) => {
    const mode = trackIndex === index ? 'showing' : 'disabled';
    // Setting the current mode again would fire a change event.
    if (isCaption(track) && track.mode !== mode) track.mode = mode;
  });
}
