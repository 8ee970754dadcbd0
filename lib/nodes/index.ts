export { type NodeIdentity, announceNode, findNodes, removeStaleNodes, withdrawNode } from './nodes';
export { openTargetTestOrder, orderTargetTest, targetTestPath } from './target-test-order';
