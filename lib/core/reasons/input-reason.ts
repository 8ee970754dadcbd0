import { findReasons } from './find-reasons';
import { inputs } from './messages/inputs';

/** The code of a sentence about input, for forms that check in the browser, where the others are not loaded. */
export const reasonOfInput = findReasons(inputs);
