import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import { CodeBlock } from './code-block';

test('a code block has the class that makes long lines wrap', () => {
  renderPage(<CodeBlock label="Sample" code={'curl '.repeat(100)} />);
  expect(screen.getByLabelText('Sample').className).toMatch(/whitespace-pre-wrap/);
});
