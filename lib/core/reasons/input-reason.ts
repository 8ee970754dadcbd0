import { createReasonFinder } from './find-reasons';
import { inputs } from './messages/inputs';

/** Finds the reason of a message about input, so that forms in the browser do not load the other messages. */
export const reasonOfInput = createReasonFinder(inputs);
