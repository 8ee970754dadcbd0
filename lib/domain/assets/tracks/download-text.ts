import { buffer } from 'node:stream/consumers';
import type { TeamContext } from '@/lib/domain/context';
import { captionLimits } from '@/lib/core/captions/caption-file';
import { AppError } from '@/lib/core/errors';
import { openEgress } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-error';
import { publicHosts } from '@/lib/infra/egress/own-addresses';

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 10;
/** A character has up to four bytes in UTF-8. */
const maxReplyBytes = captionLimits.characters * 4;

/**
 * Downloads a small text file from a URL that a team provided.
 * @throws AppError `invalid`, naming `url`
 */
export async function downloadText(
  { settings }: Pick<TeamContext, 'settings'>,
  url: string,
): Promise<string> {
  const egress = openEgress({ allowCidrs: settings.egressAllowCidrs, ownHosts: publicHosts(settings) });
  try {
    const reply = await egress.fetch(url, {
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      maxReplyBytes,
    });
    if (reply.status !== 200) {
      reply.body.destroy();
      throw downloadError(`the server answered with status ${reply.status}`);
    }
    const text = decode(await buffer(reply.body));
    if (text.length > captionLimits.characters)
      throw downloadError(`the file must have at most ${captionLimits.characters} characters`);
    return text;
  } catch (error) {
    throw error instanceof EgressError ? downloadError(error.message) : error;
  } finally {
    await egress.close();
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw downloadError('the file must be text in UTF-8');
  }
}

const downloadError = (reason: string) => new AppError('invalid', { field: 'url', message: reason });
