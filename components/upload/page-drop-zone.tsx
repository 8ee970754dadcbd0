'use client';

import { Upload } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useServerFeatures } from '@/components/shell/server-features';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Accepts files dropped anywhere on the page, and shows a hint while they are dragged. */
export function PageDropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const t = useTranslations('upload.dropAnywhere');
  const { acceptMedia } = useServerFeatures();
  const [isDraggedOver, setDraggedOver] = useState(false);
  /**
   * Number of elements that a drag has entered but not left: the enter event of a child precedes the leave event of its
   * parent.
   */
  const depth = useRef(0);
  const passFilesOn = useEffectEvent((event: DragEvent) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });

  useEffect(() => {
    const controller = new AbortController();
    /** Handles an event of files that are dragged. `preventDefault` makes the page accept them. */
    const addListener = (
      name: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      handler: (event: DragEvent) => void,
    ) =>
      window.addEventListener(
        name,
        (event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          handler(event);
        },
        { signal: controller.signal },
      );
    const changeDepth = (difference: number) => {
      depth.current = Math.max(0, depth.current + difference);
      setDraggedOver(depth.current > 0);
    };
    addListener('dragenter', () => changeDepth(1));
    addListener('dragover', (event) => {
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    });
    addListener('dragleave', () => changeDepth(-1));
    addListener('drop', (event) => {
      changeDepth(-depth.current);
      passFilesOn(event);
    });
    return () => controller.abort();
  }, []);

  if (!isDraggedOver) return null;
  return (
    <div
      aria-hidden="true"
      className="bg-canvas/80 animate-fade pointer-events-none fixed inset-0 z-50 grid place-items-center p-4 backdrop-blur-[2px]"
    >
      <div className="border-accent bg-accent-soft text-accent-ink grid size-full place-content-center justify-items-center gap-2 rounded-xl border-2 border-dashed text-center">
        <Upload className="mb-1 size-8" strokeWidth={1.5} />
        <p className="text-xl font-semibold tracking-tight">{t('dropToUpload')}</p>
        <p>{t(`acceptedFiles.${acceptMedia}`)}</p>
      </div>
    </div>
  );
}
