'use client';

import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { checkConnection } from '@/lib/client/whip/check-connection';
import type { WhipEndpoint } from '@/lib/client/whip/whip-connection';
import { explainObservations, type RtcVerdict } from '@/lib/core/webrtc/rtc-findings';

interface ConnectionTestProps {
  endpoint: WhipEndpoint;
  /** Whether the test is disabled, because the stream is live and the server would reject a second publisher. */
  disabled: boolean;
  className?: string;
}

/** Tests the connection and shows the findings, with the messages of the command `rtc:check`. */
export function ConnectionTest({ endpoint, disabled, className }: ConnectionTestProps) {
  const t = useTranslations('goLive.test');
  const translateMessage = useTranslateMessage();
  const [running, setRunning] = useState(false);
  const [verdict, setVerdict] = useState<RtcVerdict | null>(null);
  const controllerRef = useRef<AbortController>(null);
  useEffect(() => () => controllerRef.current?.abort(), []);
  const runTest = async () => {
    const controller = new AbortController();
    controllerRef.current = controller;
    setRunning(true);
    setVerdict(null);
    try {
      const observations = await checkConnection(endpoint, controller.signal);
      if (!controller.signal.aborted) setVerdict(explainObservations(observations));
    } finally {
      if (!controller.signal.aborted) setRunning(false);
    }
  };
  const Icon = verdict?.works ? CircleCheck : TriangleAlert;
  return (
    <Panel title={t('title')} {...(className ? { className } : {})}>
      <p className="text-ink-2">{t('text')}</p>
      <div role="status" className="empty:hidden">
        {running && <p className="text-ink-2 mt-3">{t('running')}</p>}
        {verdict && (
          <div className="mt-3 flex gap-2">
            <Icon
              aria-hidden="true"
              className={
                verdict.works
                  ? 'text-accent-ink mt-0.5 size-4 shrink-0'
                  : 'text-warn-ink mt-0.5 size-4 shrink-0'
              }
            />
            <div className="grid min-w-0 gap-2 wrap-anywhere">
              {verdict.findings.map(({ message, reason }) => (
                <p key={reason.code}>{translateMessage(message, reason)}</p>
              ))}
            </div>
          </div>
        )}
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button pending={running} disabled={disabled} className="max-sm:h-11" onClick={() => void runTest()}>
          {t('run')}
        </Button>
        {disabled && <p className="text-ink-2 text-sm">{t('whileLive')}</p>}
      </div>
    </Panel>
  );
}
