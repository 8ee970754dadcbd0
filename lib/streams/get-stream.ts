import type { AccountContext } from '@/lib/context';
import type { Stream } from '@/lib/contract/stream';
import { streamOf } from './internal';
import { serializeStream } from './serialize';

/** @throws AppError `not_found` */
export async function getStream(ctx: AccountContext, id: string): Promise<Stream> {
  return serializeStream(await streamOf(ctx, id), ctx.secrets);
}
