import type { Routes } from './route.ts'

export const chartingRoutes: Routes = () => {}
