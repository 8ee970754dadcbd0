import { quoteAttribute } from '@/lib/core/reply-text';

interface LinkOptions {
  /** Start position in seconds. */
  readonly startAt?: number | undefined;
  /** Token of a link that the owner gives to a viewer of non-public content; viewers' own links have none. */
  readonly token?: string;
}

/** URL of the watch page of a stream, asset or recording. */
export function watchUrl(baseUrl: string, playbackId: string, options: LinkOptions = {}): string {
  return `${baseUrl}/watch/${playbackId}${formatLinkQuery(options)}`;
}

/** HTML of a 16:9 frame for another site, with full screen and picture in picture allowed. */
export function embedCode(
  baseUrl: string,
  playbackId: string,
  title: string,
  options: LinkOptions = {},
): string {
  return [
    `<iframe src=${quoteAttribute(`${baseUrl}/embed/${playbackId}${formatLinkQuery(options)}`)} title=${quoteAttribute(title)}`,
    '  style="width: 100%; aspect-ratio: 16 / 9; border: 0"',
    '  allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
  ].join('\n');
}

function formatLinkQuery({ startAt, token }: LinkOptions): string {
  const query = new URLSearchParams();
  if (startAt !== undefined) query.set('t', String(Math.floor(startAt)));
  if (token !== undefined) query.set('token', token);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
