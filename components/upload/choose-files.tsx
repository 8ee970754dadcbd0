'use client';

import { useRef, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';
import { useServerFeatures } from '@/components/shell/server-features';

/** File types for the browser's dialog, with extensions for types that systems do not know. */
const mediaLabels: Readonly<Record<AcceptedMedia, string>> = {
  mp4: 'video/mp4,.mp4,.m4v',
  any: 'video/*,audio/*,.mkv,.flv,.ts,.mts,.m2ts,.avi,.wmv,.mov,.webm',
};

interface ChooseFilesProps {
  /** Accessible name of the field. */
  label: string;
  many?: boolean;
  onFiles: (files: readonly File[]) => void;
  variant?: 'primary' | 'secondary';
  size?: 'sm' | 'md';
  children: ReactNode;
}

/** A custom button in front of the native file input. */
export function ChooseFiles({ label, many = false, onFiles, children, ...looks }: ChooseFilesProps) {
  const { acceptMedia: accept } = useServerFeatures();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={label}
        multiple={many}
        accept={mediaLabels[accept]}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Allows choosing the same file again.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button {...looks} onClick={() => field.current?.click()}>
        {children}
      </Button>
    </>
  );
}
