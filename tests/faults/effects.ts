import type { Databases } from '../support/audits/audit.js';
import type { History } from './history.js';

type EditAnswer = { line_id?: string; plan: { plan_id: string; version: number } };

/** I01: every write that was answered with success happened once, and none that was refused happened. */
export const wrongEffects = async (history: History, databases: Databases): Promise<string[]> => {
  const wrong: string[] = [];
  for (const workspace of new Set(history.writes.map((write) => write.workspace))) {
    const answered = history.succeeded(workspace, 'create_campaign').length;
    const campaigns = await databases.of('planning').collection('campaigns').countDocuments({ ws: workspace });
    if (campaigns !== answered)
      wrong.push(`I01: workspace ${workspace} was answered ${answered} campaigns and has ${campaigns}`);
    const signed = history.succeeded(workspace, 'approve_plan').length;
    const orders = await databases.of('billing').collection('orders').countDocuments({ ws: workspace });
    if (orders !== signed)
      wrong.push(`I01: workspace ${workspace} was answered ${signed} signatures and has ${orders} orders`);
  }
  const edits = history.writes
    .filter((write) => write.operation.startsWith('plan_') && (write.answers[0]?.status ?? 500) < 300)
    .map((write) => write.answers[0]?.body as EditAnswer);
  for (const edit of edits) wrong.push(...(await editHappenedOnce(databases, edit)));
  const versions = edits.map(({ plan }) => `${plan.plan_id} ${plan.version}`);
  for (const [at, version] of versions.entries())
    if (versions.indexOf(version) !== at) wrong.push(`I24: two edits were answered plan and version ${version}`);
  return wrong;
};

/** An edit's answer names its line; a line added is there once unless a later edit removed it. */
const editHappenedOnce = async (databases: Databases, answer: EditAnswer): Promise<string[]> => {
  if (answer.line_id === undefined) return [];
  const plan = await databases
    .of('planning')
    .collection<{ _id: string; version: number; lines: { id?: string; line_id?: string }[] }>('plans')
    .findOne({ _id: answer.plan.plan_id });
  const times = plan?.lines.filter((line) => (line.id ?? line.line_id) === answer.line_id).length ?? 0;
  if (times > 1) return [`I01: line ${answer.line_id} appears ${times} times`];
  if (plan === null || plan.version < answer.plan.version)
    return [`I11: plan ${answer.plan.plan_id} lost version ${answer.plan.version}`];
  return [];
};
