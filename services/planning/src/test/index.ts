/** What tests outside this service may use of it. */
export { type ApprovalFacts, approvalRefusal } from '../domain/approval/approval.js';
export { buildPlan } from '../domain/builder/new-plan.js';
export type { Campaign, Plan } from '../domain/plan.js';
export { CurrentUnits } from '../load/current-units.js';
export { planningModule } from '../planning.module.js';
export type { SignVerdict } from '../store/sign-verdicts.js';
export type { UnitOverrides } from '../store/unit-overrides.js';
export { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from './builders.js';
export { again, aWorld, brand, type World } from './world.js';
