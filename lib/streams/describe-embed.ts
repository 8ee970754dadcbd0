import type { Context } from '@/lib/context';
import type { QueryOf } from '@/lib/contract/define-endpoint';
import type { describeEmbed as endpoint, OEmbed } from '@/lib/contract/oembed';
import { AppError } from '@/lib/core/errors';
import { quotedAttribute } from '@/lib/core/html-attribute';
import { isOwnOrigin } from '@/lib/core/origin';
import { findNamedPlayback } from './find-playback';

const usual = { width: 640, height: 360 };
const page = /^\/(?:watch|embed)\/([a-z0-9-]{16,36})\/?$/;

/**
 * How another site shows what is at the address of a page for viewers (https://oembed.com).
 * @throws AppError `not_found` for another address, and where there is nothing to play
 */
export async function describeEmbed(ctx: Context, query: QueryOf<typeof endpoint>): Promise<OEmbed> {
  const { baseUrl } = ctx.settings;
  const playbackId = playbackIdOf(query.url, baseUrl);
  if (playbackId === null) throw new AppError('not_found', 'url: is not a page for viewers of this service');
  const { name: title, playback } = await findNamedPlayback(ctx, playbackId);
  const { width, height } = sizeFor(query);
  const poster = playback.meta.source.find((source) => source.type === 'image/jpeg');
  const allow = 'autoplay; fullscreen; picture-in-picture';
  return {
    version: '1.0',
    type: 'video',
    provider_name: 'Headwater',
    provider_url: baseUrl,
    title,
    // The name alone was written by people: the id has a shape of its own, the address is the operator's.
    html: `<iframe src="${baseUrl}/embed/${playbackId}" width="${width}" height="${height}" title=${quotedAttribute(title)} style="border: 0" allow="${allow}" allowfullscreen></iframe>`,
    width,
    height,
    ...(poster ? { thumbnail_url: poster.url, thumbnail_width: width, thumbnail_height: height } : {}),
  };
}

function playbackIdOf(address: string, baseUrl: string): string | null {
  if (!URL.canParse(address)) return null;
  const { origin, pathname } = new URL(address);
  return isOwnOrigin(origin, baseUrl) ? (page.exec(pathname)?.[1] ?? null) : null;
}

/** 16:9, as large as is usual and allowed. */
function sizeFor({ maxwidth, maxheight }: QueryOf<typeof endpoint>): { width: number; height: number } {
  const width = Math.min(usual.width, Number(maxwidth ?? usual.width));
  const height = Math.min(Math.round((width * 9) / 16), Number(maxheight ?? usual.height));
  return { width: Math.max(1, Math.min(width, Math.round((height * 16) / 9))), height: Math.max(1, height) };
}
