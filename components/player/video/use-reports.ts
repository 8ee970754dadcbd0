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
  /** Facts of the engine; null while nothing plays. */
  facts: () => EngineFacts | null;
}

/**
 * Reports playback. The reporting code is loaded after the first frame. If the viewer leaves before it, two lines report
 * the abandoned start.
 * @returns a function that returns the reports of this view, one line each, for a viewer who asks for help; undefined if
 * reports are disabled
 */
export function useReports(
  video: HTMLVideoElement | null,
  src: string | null | undefined,
  { enabled, view: { phase, latency }, autoplay, facts }: ReportOptions,
): (() => readonly string[]) | undefined {
  // Going back to the DVR playlist does not start another view.
  const url = enabled && src ? reportUrl(src.replace(/[?&]dvr=1$/, '')) : null;
  // `startedAt`: time of the play request, in Unix milliseconds; 0 before it. `sessionId`: random id of the view.
  const currentView = useRef({ startedAt: 0, sessionId: '' });
  const reporter = useRef<ReturnType<typeof reportPlayback>>(undefined);
  const measure = useEffectEvent(() => ({ facts: facts(), latency }));
  const isPlaying = phase === 'playing';
  const isStarting = phase === 'connecting';

  useEffect(() => {
    if (!video || url === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    currentView.current = { startedAt: 0, sessionId: Math.random().toString(36).slice(2) };
    video.addEventListener('play', () => (currentView.current.startedAt ||= Date.now()), { signal });
    const reportAbandonedStart = () => {
      const { startedAt, sessionId } = currentView.current;
      if (startedAt === 0 || reporter.current) return;
      // Common Media Client Data (CTA-5004-B): the states "starting" and "quit".
      const commonKeys = `e=ps,sid="${sessionId}",`;
      navigator.sendBeacon(url, `${commonKeys}sta=s,ts=${startedAt}\n${commonKeys}sta=q,ts=${Date.now()}`);
    };
    window.addEventListener('pagehide', reportAbandonedStart, { signal });
    return () => {
      controller.abort();
      reportAbandonedStart();
      reporter.current?.close();
      reporter.current = undefined;
      // If the reporting code still loads, it must not report this view any more.
      currentView.current = { startedAt: 0, sessionId: '' };
    };
  }, [video, url]);

  useEffect(() => {
    if (isStarting && autoplay) currentView.current.startedAt ||= Date.now();
  }, [isStarting, autoplay, url]);

  useEffect(() => {
    const { startedAt, sessionId } = currentView.current;
    if (!video || url === null || !isPlaying || startedAt === 0 || reporter.current) return;
    const shownAt = Date.now();
    void import('./report-playback')
      .then(({ reportPlayback }) => {
        // The view ended while the code loaded.
        if (reporter.current || currentView.current.sessionId !== sessionId) return;
        reporter.current = reportPlayback(video, {
          url,
          sessionId,
          startedAt,
          shownAt,
          measure: () => measure(),
        });
      })
      .catch(() => undefined);
  }, [video, url, isPlaying]);

  useEffect(() => reporter.current?.onPhase(phase), [phase]);
  return enabled ? () => reporter.current?.addCurrentLine() ?? [] : undefined;
}
