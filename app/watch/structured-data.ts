import type { Translator } from '@/components/i18n/messages';
import type { Watchable } from './find-watchable';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Player size in pixels for other sites if the size of the video is unknown. */
export const defaultPlayerSize = { width: 1280, height: 720 };

interface PageUrls {
  /** URL of the watch page. */
  readonly page: string;
  readonly embed: string;
}

/**
 * The media as a schema.org VideoObject, a stream with its session as a BroadcastEvent
 * (https://schema.org/VideoObject). Null while there is nothing to play.
 */
export function createStructuredData(
  t: Translator<'player.page'>,
  playback: Watchable,
  { page, embed }: PageUrls,
): object | null {
  const { title, src, poster, media } = playback;
  if (src === null || !media) return null;
  const { duration, mp4, status, chapters = [] } = media;
  return {
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: title,
    description: describeMedia(t, title, media),
    url: page,
    embedUrl: embed,
    contentUrl: mp4?.url ?? src,
    uploadDate: isoDate(status?.startedAt ?? media.publishedAt),
    ...omitUndefined({ thumbnailUrl: poster }),
    ...(mp4?.width === undefined ? {} : { width: mp4.width, height: mp4.height }),
    ...(duration === null ? {} : { duration: isoDuration(duration) }),
    ...(chapters.length > 0
      ? {
          hasPart: chapters.map(({ start, title: name }, index) => ({
            '@type': 'Clip',
            name,
            startOffset: start,
            endOffset: chapters[index + 1]?.start ?? duration ?? start,
            url: `${page}?t=${Math.floor(start)}`,
          })),
        }
      : {}),
    ...(status && status.startedAt !== null
      ? {
          publication: {
            '@type': 'BroadcastEvent',
            name: title,
            isLiveBroadcast: status.live,
            startDate: isoDate(status.startedAt),
            ...(status.endedAt === null ? {} : { endDate: isoDate(status.endedAt) }),
          },
        }
      : {}),
  };
}

/**
 * The `og:video` properties in the required order: the player for sites that frame it, then the file for sites that play
 * it themselves (https://ogp.me). They are created here, because Next writes only `og:video:url`, which not every site
 * reads.
 */
export function createOpenGraphVideos(
  { media }: Watchable,
  { embed }: Pick<PageUrls, 'embed'>,
): [string, string][] {
  const mp4 = media?.mp4;
  const { width = defaultPlayerSize.width, height = defaultPlayerSize.height } = mp4 ?? {};
  const videoProperties = (url: string, type: string): [string, string][] => [
    ['og:video', url],
    ...(url.startsWith('https://') ? [['og:video:secure_url', url] as [string, string]] : []),
    ['og:video:type', type],
    ['og:video:width', String(width)],
    ['og:video:height', String(height)],
  ];
  return [...videoProperties(embed, 'text/html'), ...(mp4 ? videoProperties(mp4.url, 'video/mp4') : [])];
}

/** Description for link previews, in one sentence. */
export function describeMedia(
  t: Translator<'player.page'>,
  title: string,
  { kind, status }: NonNullable<Watchable['media']>,
): string {
  if (kind !== 'live') return t('watch', { title });
  return t(status?.live ? 'isLive' : 'watchLive', { title });
}

/** JSON for a <script> element, escaped so that it cannot end the element. */
export function formatScriptJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
}

const isoDate = (unixMs: number): string => new Date(unixMs).toISOString();

/** ISO 8601 duration, such as "PT1M30S". */
function isoDuration(seconds: number): string {
  // At least one second, because a duration needs at least one unit ("PT" is invalid).
  const totalSeconds = Math.max(1, Math.round(seconds));
  const parts = [
    [Math.floor(totalSeconds / 3600), 'H'],
    [Math.floor(totalSeconds / 60) % 60, 'M'],
    [totalSeconds % 60, 'S'],
  ] as const;
  return `PT${parts.map(([value, unit]) => (value > 0 ? `${value}${unit}` : '')).join('')}`;
}
