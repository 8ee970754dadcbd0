import { ExternalLink } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IfPermitted } from '@/components/teams/use-team';
import { ViewerLink } from '@/components/access/viewer-link';
import { embedCode, watchUrl } from '@/components/player/pages/share-links';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Panel } from '@/components/ui/panel';
import type { PlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { isRestricted } from '@/lib/core/access/playback-policy';

interface SharePanelProps {
  baseUrl: string;
  playbackId: string;
  playbackUrl: string;
  /** Accessible name of the embedded frame. */
  title: string;
  /** Playback policy; undefined: anyone may watch. */
  policy: PlaybackPolicy | undefined;
}

/** URLs and embed code for viewers. */
export function SharePanel({ baseUrl, playbackId, playbackUrl, title, policy }: SharePanelProps) {
  const t = useTranslations('streams.sharePanel');
  const watchPageUrl = watchUrl(baseUrl, playbackId);
  return (
    <Panel
      title={t('watchAndEmbed')}
      action={
        <Button asChild size="sm">
          <a href={watchPageUrl} target="_blank" rel="noreferrer">
            {t('openPage')}
            <ExternalLink aria-hidden="true" />
          </a>
        </Button>
      }
    >
      <div className="grid gap-4">
        <CopyField label={t('watchPage')} value={watchPageUrl} />
        <CopyField label={t('hlsPlaylist')} value={playbackUrl} />
        <div>
          <div className="text-ink-2 mb-1.5 text-sm">{t('embedCode')}</div>
          <CodeBlock label={t('embedCode')} code={embedCode(baseUrl, playbackId, title)} />
          <p className="text-ink-3 mt-1.5 text-sm">
            {t.rich('options', { code: (option) => <code className="font-mono">{option}</code> })}
          </p>
        </div>
        {policy && isRestricted(policy) && (
          // The policy is the React key, so that a change of the policy removes a displayed link.
          <IfPermitted key={JSON.stringify(policy)}>
            <ViewerLink baseUrl={baseUrl} playbackId={playbackId} title={title} />
          </IfPermitted>
        )}
      </div>
    </Panel>
  );
}
