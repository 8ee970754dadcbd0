import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { uploadCurl } from './asset-commands';

interface NoAssetsProps {
  narrowed: boolean;
  baseUrl: string | undefined;
  /** The button that uploads. */
  action: ReactNode;
  onClear: () => void;
}

/** "Nothing yet" shows how to begin; "nothing found" shows the way back to everything. */
export function NoAssets({ narrowed, baseUrl, action, onClear }: NoAssetsProps) {
  if (narrowed) {
    return (
      <EmptyState title="No asset matches" action={<Button onClick={onClear}>Show all assets</Button>}>
        Try another name, status or source filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No assets yet"
      action={action}
      {...(baseUrl ? { command: { label: 'Or from your code:', code: uploadCurl(baseUrl) } } : {})}
    >
      Drop video files anywhere on this page: MP4 with H.264 video and optional AAC audio. Stream recordings
      appear here too.
    </EmptyState>
  );
}
