import type { Routes } from './route.ts'

export const tradeRoutes: Routes = () => {}
