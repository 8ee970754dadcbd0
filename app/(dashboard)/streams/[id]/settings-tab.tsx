'use client';

import { StreamPolicyPanel } from '@/components/access/policy-panel';
import { StreamFacts } from '@/components/streams/page/stream-facts';
import { StreamRenditionsPanel } from '@/components/streams/renditions/renditions-panel';
import { EncoderLossPanel } from '@/components/streams/settings/encoder-loss-panel';
import { StreamSettingsPanel } from '@/components/streams/settings/stream-settings';
import { WatchPagePanel } from '@/components/streams/settings/watch-page-panel';
import { ReadOnlyUnlessPermitted } from '@/components/teams/use-team';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Stream } from '@/lib/contract/streams/stream';

interface SettingsTabProps {
  stream: Stream;
  urls: PublicUrls;
}

export function SettingsTab({ stream, urls }: SettingsTabProps) {
  return (
    <ReadOnlyUnlessPermitted>
      <div className="grid gap-6">
        <WatchPagePanel stream={stream} urls={urls} />
        <StreamPolicyPanel stream={stream} />
        <EncoderLossPanel stream={stream} urls={urls} />
        <StreamRenditionsPanel stream={stream} />
        <StreamSettingsPanel stream={stream} />
        <StreamFacts stream={stream} />
      </div>
    </ReadOnlyUnlessPermitted>
  );
}
