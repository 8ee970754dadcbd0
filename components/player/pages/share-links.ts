import { quotedAttribute } from '@/lib/core/reply-text';

interface LinkOptions {
  /** Seconds into the video. */
  readonly startAt?: number | undefined;
  /** Of a viewer, for what not everybody may watch. */
  readonly token?: string;
}

/** Address of the public page of a stream or an asset. */
export function watchUrl(baseUrl: string, playbackId: string, options: LinkOptions = {}): string {
  return `${baseUrl}/watch/${playbackId}${queryOf(options)}`;
}

/** Markup for another site: keeps 16:9, allows full screen and picture in picture. */
export function embedCode(
  baseUrl: string,
  playbackId: string,
  title: string,
  options: LinkOptions = {},
): string {
  return [
    `<iframe src="${baseUrl}/embed/${playbackId}${queryOf(options)}" title=${quotedAttribute(title)}`,
    '  style="width: 100%; aspect-ratio: 16 / 9; border: 0"',
    '  allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
  ].join('\n');
}

// One of them: who passes on a link while watching passes on no token.
const queryOf = ({ startAt, token }: LinkOptions): string =>
  token === undefined ? (startAt === undefined ? '' : `?t=${Math.floor(startAt)}`) : `?token=${token}`;
