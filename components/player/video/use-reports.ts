import { useEffect, useEffectEvent, useRef } from 'react';
import type { EngineFacts } from '../engine/engine';
import type { PlaybackView } from '../engine/playback-view';
import type { reportPlayback } from './report-playback';
import { reportUrl } from './report-url';

interface ReportOptions {
  /** Whether the owner has enabled reports. */
  enabled: boolean;
  view: PlaybackView;
  autoplay: boolean;
  facts: () => EngineFacts | null;
}

/**
 * Reports playback. The code is loaded after the first frame; for a viewer who closes the page before it, two
 * lines are sent.
 * @returns a function that returns the reports of this view, for a viewer who asks for help; undefined if reports
 * are off
 */
export function useReports(
  video: HTMLVideoElement | null,
  src: string | null | undefined,
  { enabled, view: { phase, latency }, autoplay, facts }: ReportOptions,
): (() => readonly string[]) | undefined {
  const url = enabled && src ? reportUrl(src.replace(/[?&]dvr=1$/, '')) : null;
  const startedView = useRef({ at: 0, sessionId: '' });
  const reports = useRef<ReturnType<typeof reportPlayback>>(undefined);
  const measure = useEffectEvent(() => ({ facts: facts(), latency }));
  const isShown = phase === 'playing';
  const isStarting = phase === 'connecting';

  useEffect(() => {
    if (!video || url === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    startedView.current = { at: 0, sessionId: Math.random().toString(36).slice(2) };
    video.addEventListener('play', () => (startedView.current.at ||= Date.now()), { signal });
    const reportAbandonedStart = () => {
      const { at, sessionId } = startedView.current;
      if (at === 0 || reports.current) return;
      const line = `e=ps,sid="${sessionId}",`;
      navigator.sendBeacon(url, `${line}sta=s,ts=${at}\n${line}sta=q,ts=${Date.now()}`);
    };
    window.addEventListener('pagehide', reportAbandonedStart, { signal });
    return () => {
      controller.abort();
      reportAbandonedStart();
      reports.current?.close();
      reports.current = undefined;
      // Code of the reports that still loads belongs to no view any more.
      startedView.current = { at: 0, sessionId: '' };
    };
  }, [video, url]);

  useEffect(() => {
    if (isStarting && autoplay) startedView.current.at ||= Date.now();
  }, [isStarting, autoplay, url]);

  useEffect(() => {
    const { at, sessionId } = startedView.current;
    if (!video || url === null || !isShown || at === 0 || reports.current) return;
    const shownAt = Date.now();
    void import('./report-playback')
      .then(({ reportPlayback }) => {
        // The view ended while the code loaded.
        if (reports.current || startedView.current.sessionId !== sessionId) return;
        reports.current = reportPlayback(video, {
          url,
          sessionId,
          startedAt: at,
          shownAt,
          measure: () => measure(),
        });
      })
      .catch(() => undefined);
  }, [video, url, isShown]);

  useEffect(() => reports.current?.phase(phase), [phase]);
  return enabled ? () => reports.current?.lines() ?? [] : undefined;
}
