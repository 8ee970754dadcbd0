import { createStreamCurl } from '@/components/streams/sharing/api-examples';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

interface NoStreamsProps {
  filtered: boolean;
  baseUrl: string | undefined;
  onClear: () => void;
}

/** "Nothing yet" shows how to begin; "nothing found" shows the way back to everything. */
export function NoStreams({ filtered, baseUrl, onClear }: NoStreamsProps) {
  if (filtered) {
    return (
      <EmptyState title="No stream matches" action={<Button onClick={onClear}>Show all streams</Button>}>
        Try another name or status filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No streams yet"
      {...(baseUrl ? { command: { label: 'Or from your code:', code: createStreamCurl(baseUrl) } } : {})}
    >
      Create one with the button above. You get a stream key for publishing and a playback URL for viewers.
    </EmptyState>
  );
}
