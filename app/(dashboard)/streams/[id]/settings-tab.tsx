'use client';

import { StreamPolicy } from '@/components/access/policy-panel';
import { StreamFacts } from '@/components/streams/page/stream-facts';
import { StreamRenditions } from '@/components/streams/renditions/renditions-panel';
import { EncoderLossPanel } from '@/components/streams/settings/encoder-loss-panel';
import { StreamSettings } from '@/components/streams/settings/stream-settings';
import { WatchPagePanel } from '@/components/streams/settings/watch-page-panel';
import { ReadOnlyBelow } from '@/components/teams/use-team';
import type { Addresses } from '@/lib/client/queries/addresses';
import type { Stream } from '@/lib/contract/streams/stream';

interface SettingsTabProps {
  stream: Stream;
  addresses: Addresses;
}

export function SettingsTab({ stream, addresses }: SettingsTabProps) {
  return (
    <ReadOnlyBelow>
      <div className="grid gap-6">
        <WatchPagePanel stream={stream} addresses={addresses} />
        <StreamPolicy stream={stream} />
        <EncoderLossPanel stream={stream} addresses={addresses} />
        <StreamRenditions stream={stream} />
        <StreamSettings stream={stream} />
        <StreamFacts stream={stream} />
      </div>
    </ReadOnlyBelow>
  );
}
