'use client';

import { OneStream } from './one-stream';
import { StreamContent } from './stream-content';

export function StreamView({ id }: { id: string }) {
  return <OneStream id={id}>{(stream, urls) => <StreamContent stream={stream} urls={urls} />}</OneStream>;
}
