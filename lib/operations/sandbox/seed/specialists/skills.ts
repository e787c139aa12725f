import type { ServiceKey } from '../services/all';

/**
 * Groups of services. A specialist can have several groups. No service may be in two groups, because a specialist with
 * both groups would offer it twice.
 */
export const SKILLS = {
  cuts: ['womens-cut', 'mens-cut', 'kids-cut', 'fringe-trim', 'blow-dry'],
  colour: ['root-colour', 'full-colour', 'balayage', 'gloss', 'patch-test'],
  barber: ['beard-trim', 'shave'],
  occasions: ['updo', 'bridal-hair', 'makeup'],
  scalp: ['scalp-treatment', 'keratin'],
  massage: ['classic-massage-30', 'classic-massage-60', 'aroma-massage', 'back-neck', 'head-massage'],
  firmMassage: ['deep-tissue-60', 'deep-tissue-90', 'hot-stone', 'sports-massage'],
  gentleMassage: ['foot-reflexology', 'pregnancy-massage', 'lymph-drainage'],
  ayurveda: ['abhyanga', 'shirodhara'],
  physio: ['physio-first', 'physio-follow-up', 'manual-therapy', 'post-op', 'kinesio-tape', 'back-screening'],
  sportPhysio: ['running-analysis', 'shockwave', 'ergonomics', 'dry-needling'],
  finePhysio: ['vestibular', 'jaw-therapy', 'hand-therapy'],
  face: ['facial-classic', 'facial-express', 'deep-cleanse', 'microdermabrasion', 'chemical-peel'],
  eyes: ['brow-shape', 'lash-lift'],
  nails: ['manicure', 'gel-manicure', 'pedicure'],
  yoga: ['yoga-flow', 'yin-yoga', 'meditation', 'breathwork'],
  pilates: ['pilates-mat', 'reformer', 'personal-pilates', 'fascia-class'],
  health: ['back-class', 'prenatal-yoga'],
  nutrition: ['nutrition-first', 'nutrition-follow-up'],
  balance: ['sleep-coaching', 'stress-check', 'intro-call', 'gift-consultation'],
  spa: ['acupuncture', 'private-sauna', 'float-tank'],
} as const satisfies Record<string, readonly ServiceKey[]>;
