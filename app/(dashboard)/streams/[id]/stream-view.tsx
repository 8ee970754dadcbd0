'use client';

import { OneStream } from './one-stream';
import { StreamContent } from './stream-content';

export function StreamView({ id }: { id: string }) {
  return (
    <OneStream id={id}>
      {(stream, addresses) => <StreamContent stream={stream} addresses={addresses} />}
    </OneStream>
  );
}
