interface CaptionTrack {
  /** Index in the text tracks of the <video>. */
  readonly index: number;
  readonly label: string;
}

export interface Captions {
  readonly tracks: readonly CaptionTrack[];
  /** Index of the track on screen; -1 = off. */
  readonly shownTrack: number;
  readonly choose: (index: number) => void;
  /** Turns captions off, or on with the last used track or the first one. */
  readonly toggle: () => void;
}

/** Language of the captions that the viewer chose last, or none: stored in the browser for all videos. */
const STORAGE_KEY = 'headwater.captions';
/** Stored value for captions off. */
const OFF = '';

/** @param language language of the chosen captions; null = off; empty = unknown, which says nothing about other videos */
function prefer(language: string | null): void {
  try {
    if (language === '') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, language ?? OFF);
  } catch {
    // Storage is blocked: the choice applies to this video only.
  }
}

/**
 * Captions that the viewer prefers: an index, -1 for none, null for the default of the video.
 * @param languages of the text tracks; null = not captions
 */
function preferredOf(languages: readonly (string | null)[]): number | null {
  const languageTag = storedLanguage();
  if (languageTag === null) return null;
  if (languageTag === OFF) return -1;
  const exact = languages.indexOf(languageTag);
  if (exact >= 0) return exact;
  // British English matches a choice of American English.
  const main = (language: string) => language.split('-')[0];
  const similar = languages.findIndex(
    (language) => language !== null && main(language) === main(languageTag),
  );
  return similar >= 0 ? similar : null;
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

const CHANGES = ['addtrack', 'removetrack', 'change'] as const;

/**
 * Reports captions at each change, and shows those in the viewer's preferred language.
 * @param starts whether the video had no frame yet when its first track was added
 * @returns a function that stops this
 */
export function followCaptions(
  video: HTMLVideoElement,
  starts: boolean,
  report: (captions: Captions) => void,
): () => void {
  const list = video.textTracks;
  let last = -1;
  const choose = (index: number) => {
    show(list, index);
    prefer(list[index]?.language ?? null);
    if (index >= 0) last = index;
  };
  const readTracks = () => {
    const { tracks, shownTrack } = captionsIn(list);
    const toggle = () => {
      const track = tracks.find(({ index }) => index === last) ?? tracks[0];
      choose(shownTrack >= 0 ? -1 : (track?.index ?? -1));
    };
    report({ tracks, shownTrack, choose, toggle });
  };
  // Without a stored choice, the default of the video applies; later changes are stored as the viewer's choice.
  const change = (isStart: boolean) => {
    const index = isStart
      ? preferredOf(Array.from(list, (track) => (isCaption(track) ? track.language : null)))
      : null;
    if (index !== null) show(list, index);
    readTracks();
  };
  const onTracksChanged = () => change(video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA);
  for (const name of CHANGES) list.addEventListener(name, onTracksChanged);
  change(starts);
  return () => {
    for (const name of CHANGES) list.removeEventListener(name, onTracksChanged);
  };
}

const isCaption = ({ kind }: TextTrack): boolean => kind === 'subtitles' || kind === 'captions';

function captionsIn(list: TextTrackList): Pick<Captions, 'tracks' | 'shownTrack'> {
  const textTracks = Array.from(list);
  const tracks = textTracks.flatMap((track, index) =>
    isCaption(track) ? [{ index, label: track.label || track.language }] : [],
  );
  return {
    tracks,
    shownTrack: tracks.find(({ index }) => textTracks[index]?.mode === 'showing')?.index ?? -1,
  };
}

function show(list: TextTrackList, index: number): void {
  Array.from(list).forEach((track, each) => {
    const mode = each === index ? 'showing' : 'disabled';
    // Setting the current mode again would fire a change event.
    if (isCaption(track) && track.mode !== mode) track.mode = mode;
  });
}
