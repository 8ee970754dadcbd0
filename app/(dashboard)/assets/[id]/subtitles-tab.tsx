'use client';

import { ChaptersPanel } from '@/components/assets/chapters-panel';
import { TracksPanel } from '@/components/assets/tracks-panel';
import { ReadOnlyUnlessPermitted } from '@/components/teams/use-team';
import type { Asset } from '@/lib/contract/assets/asset';

export function SubtitlesTab({ asset }: { asset: Asset }) {
  return (
    <ReadOnlyUnlessPermitted>
      <div className="grid gap-6">
        <TracksPanel asset={asset} />
        <ChaptersPanel asset={asset} />
      </div>
    </ReadOnlyUnlessPermitted>
  );
}
