'use client';

import { StreamLoader } from './stream-loader';
import { StreamContent } from './stream-content';

export function StreamView({ id }: { id: string }) {
  return (
    <StreamLoader id={id}>{(stream, urls) => <StreamContent stream={stream} urls={urls} />}</StreamLoader>
  );
}
