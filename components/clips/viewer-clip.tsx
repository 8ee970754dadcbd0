'use client';

import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Proof, withProof } from '@/components/player/pages/embed-options';
import type { ClippedPlayer } from '@/components/player/player';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import { FormError } from '@/components/ui/form/field';
import { Panel } from '@/components/ui/panel';
import { viewerClipLimits } from '@/lib/core/sessions/clip-range';
import { ClipHandles } from './clip-handles';
import { useClipDraft } from './use-clip-draft';

/** The player that a viewer clips from, and the viewer's proof of access. */
export type ViewerClipTarget = readonly [player: ClippedPlayer, proof?: Proof | null];

interface ViewerClipEditorProps {
  /** Playback id of the stream, or id of the session for a recording. */
  playbackId: string;
  target: ViewerClipTarget;
  onClose: () => void;
}

type Problem = 'noDate' | 'tooMany' | 'notRecorded' | 'rejected' | 'failed';
type ClipResult = { readonly url: string } | { readonly problem: Problem };

const RESPONSE_TIMEOUT_MS = 15_000;
const MAX_CLIP_SECONDS = viewerClipLimits.maxDurationMs / 1_000;

/** Clip editor for viewers: chooses start and end, and shows the link to the clip. Its code is loaded on demand. */
export default function ViewerClipEditor({ playbackId, target, onClose }: ViewerClipEditorProps) {
  const t = useTranslations('clips.viewer');
  const [url, setUrl] = useState<string>();
  const containerRef = useRef<HTMLDivElement>(null);
  // Scrolls the editor into view, because the player may be as high as the window. The callback has braces, because
  // scrollIntoView returns a promise in newer browsers, which React would take for a clean-up function.
  useEffect(() => {
    containerRef.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={containerRef} className="w-full max-w-[80rem] max-sm:px-4">
      <Panel
        title={t('title')}
        description={url === undefined ? t('description', { seconds: MAX_CLIP_SECONDS }) : t('made')}
      >
        {url === undefined ? (
          <ClipForm playbackId={playbackId} target={target} onClose={onClose} onMade={setUrl} />
        ) : (
          <div className="grid gap-4">
            <CopyField label={t('link')} value={url} />
            <div className="flex flex-wrap justify-end gap-2">
              <Button onClick={onClose}>{t('close')}</Button>
              <Button asChild variant="primary">
                <a href={url} target="_blank" rel="noopener">
                  {t('open')}
                </a>
              </Button>
            </div>
          </div>
        )}
      </Panel>
    </div>
  );
}

interface ClipFormProps extends ViewerClipEditorProps {
  onMade: (url: string) => void;
}

function ClipForm({ playbackId, target: [player, proof = null], onClose, onMade }: ClipFormProps) {
  const t = useTranslations('clips.viewer');
  const tEditor = useTranslations('clips.editor');
  const { video } = player;
  const { bounds, draft, changeDraft } = useClipDraft(video, onClose, MAX_CLIP_SECONDS);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async () => {
    if (pending) return;
    const [startTime, endTime] = [player.dateAt(draft.start), player.dateAt(draft.end)];
    if (startTime === null || endTime === null) {
      setProblem('noDate');
      return;
    }
    setProblem(undefined);
    setPending(true);
    const body = { startTime: Math.round(startTime), endTime: Math.round(endTime) };
    const result = await requestClip(withProof(`/api/playback/${playbackId}/clip`, proof), body);
    setPending(false);
    if ('url' in result) onMade(result.url);
    else setProblem(result.problem);
  };
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ClipHandles video={video} bounds={bounds} draft={draft} changeDraft={changeDraft} />
      <FormError>{problem && (problem === 'noDate' ? tEditor('noDate') : t(problem))}</FormError>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{tEditor('cancel')}</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {tEditor('create')}
        </Button>
      </div>
    </form>
  );
}

/** Problem by the HTTP status of the response. */
const problemsByStatus: Readonly<Record<number, Problem>> = {
  403: 'rejected',
  404: 'rejected',
  422: 'notRecorded',
  429: 'tooMany',
};

/** Requests the clip. An error becomes a problem; the promise is never rejected. */
async function requestClip(url: string, body: object): Promise<ClipResult> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    if (response.ok) return (await response.json()) as { url: string };
    return { problem: problemsByStatus[response.status] ?? 'failed' };
  } catch {
    return { problem: 'failed' };
  }
}
