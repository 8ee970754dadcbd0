import { ExternalLink } from 'lucide-react';
import { embedCode, watchUrl } from '@/components/player/pages/share-links';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Panel } from '@/components/ui/panel';

interface SharePanelProps {
  baseUrl: string;
  playbackId: string;
  playbackUrl: string;
  /** Accessible name of the frame. */
  title: string;
}

/** Links and embed code of a stream or an asset. */
export function SharePanel({ baseUrl, playbackId, playbackUrl, title }: SharePanelProps) {
  const page = watchUrl(baseUrl, playbackId);
  return (
    <Panel
      title="Watch and embed"
      action={
        <Button asChild size="sm">
          <a href={page} target="_blank" rel="noreferrer">
            Open page
            <ExternalLink aria-hidden="true" />
          </a>
        </Button>
      }
    >
      <div className="grid gap-4">
        <CopyField label="Watch page" value={page} />
        <CopyField label="HLS playlist" value={playbackUrl} />
        <div>
          <div className="text-ink-2 mb-1.5 text-sm">Embed code</div>
          <CodeBlock label="Embed code" code={embedCode(baseUrl, playbackId, title)} wrap />
          <p className="text-ink-3 mt-1.5 text-sm">
            With <code className="font-mono">?autoplay=0</code>, <code className="font-mono">?muted=0</code>{' '}
            or <code className="font-mono">?controls=0</code> in the URL, the player waits for a click, starts
            with sound or hides its controls.
          </p>
        </div>
      </div>
    </Panel>
  );
}
