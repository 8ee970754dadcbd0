'use client';

import 'swagger-ui-dist/swagger-ui.css';
import './api-reference.css';
import { useTheme } from 'next-themes';
import { useEffect, useRef, useState } from 'react';
import { LoadFailed } from '@/components/ui/load-failed';
import { documentFor, type OpenApiDocument } from './reference-document';
import { ReferenceSkeleton } from './reference-skeleton';

/** Every operation of an OpenAPI document, with forms to call it. Nothing is asked of any other host. */
export function ApiReference({ document }: { document: OpenApiDocument }) {
  const place = useRef<HTMLDivElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<'loading' | 'shown' | Error>('loading');
  useDarkMode();
  useEffect(() => {
    // A new element each time: the library cannot be asked to leave one.
    const domNode = window.document.createElement('div');
    place.current?.append(domNode);
    let left = false;
    show(domNode, document, () => left)
      .then(() => left || setState('shown'))
      .catch((error: unknown) => left || setState(error instanceof Error ? error : new Error(String(error))));
    return () => {
      left = true;
      domNode.remove();
    };
  }, [document, attempt]);
  const retry = () => {
    setState('loading');
    setAttempt(attempt + 1);
  };
  return (
    <>
      {state === 'loading' && <ReferenceSkeleton />}
      {state instanceof Error && <LoadFailed what="The API reference" error={state} onRetry={retry} />}
      <div ref={place} className="api-reference" />
    </>
  );
}

/** The library is large and needed on this page only: it comes when the page is open. */
async function show(domNode: HTMLElement, document: OpenApiDocument, left: () => boolean): Promise<void> {
  const { default: SwaggerUI } = await import('swagger-ui-dist/swagger-ui-es-bundle');
  if (left()) return;
  await new Promise<void>((resolve) => {
    SwaggerUI({
      domNode,
      spec: documentFor(document, window.location.origin),
      validatorUrl: null,
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
      filter: true,
      queryConfigEnabled: false,
      tryItOutEnabled: true,
      onComplete: resolve,
    });
  });
}

/** The library's own name for what is `dark` here. */
function useDarkMode(): void {
  const { resolvedTheme } = useTheme();
  useEffect(() => {
    const { classList } = window.document.documentElement;
    classList.toggle('dark-mode', resolvedTheme === 'dark');
    return () => classList.remove('dark-mode');
  }, [resolvedTheme]);
}
