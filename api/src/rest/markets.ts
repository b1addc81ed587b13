import type { Routes } from './route.ts'

export const marketRoutes: Routes = () => {}
