// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook} from "../../../src/interfaces/IBook.sol";
import {ILiquidation, IPerpsMarks} from "../../../src/interfaces/IPerps.sol";
import {AdversaryPlans} from "./AdversaryPlans.sol";

interface IStateCheats {
    function snapshotState() external returns (uint256 id);
    function revertToStateAndDelete(uint256 id) external returns (bool);
    function envOr(string calldata name, string calldata fallback_)
        external
        view
        returns (string memory);
    function writeLine(string calldata path, string calldata line) external;
    function toString(int256 value) external pure returns (string memory);
}

/// Plays the adversary: multicalls of several accounts of one person within one second.
abstract contract AdversaryStrikes is AdversaryPlans {
    IStateCheats internal constant CHEATS = IStateCheats(address(vm));
    uint256 private constant CALLS_MAX = 7; // of a multicall
    /// The most that one poke moves the mark, in parts of 10,000 of the index: a tenth of its bound
    /// of 0.5 %.
    int256 private constant STEP_MAX = 5;
    uint256[3] internal _prices = [uint256(2_000e18), 60_000e18, 2_000e18];

    function _forget() internal {
        vm.getRecordedLogs();
    }

    /* STRIKING */
    /// Several accounts of the adversary act in one second, each by one multicall of anything.
    function strike(uint256 seed) external seeded(seed) {
        if (_oneIn(3)) vm.warp(block.timestamp + 60);
        _push();
        bytes[][] memory plans = new bytes[][](_between(1, 3));
        Party[] memory by = new Party[](plans.length);
        _startPlan();
        for (uint256 i = 0; i < plans.length; i++) {
            by[i] = _anyEvil();
            plans[i] = new bytes[](_between(2, CALLS_MAX));
            uint32 market = _anyMarket();
            for (uint256 j = 0; j < plans[i].length; j++) {
                plans[i][j] = _anyCall(by[i], market);
            }
        }
        _carryOut(by, plans);
        seen["strike"] += 1;
    }

    /// A quote for no time at all, a poke, and the victim is closed into an order of the
    /// adversary's.
    function _corner(uint32 market, uint40 victim, int64 lots) internal {
        bool down = lots > 0;
        _startPlan();
        bytes[][] memory plans = new bytes[][](1);
        Party[] memory by = new Party[](1);
        by[0] = _anyEvil();
        bytes[] memory calls = plans[0] = new bytes[](5);
        (uint24 bid, uint24 ask) = _bestOf(market);
        uint40 flash = _next[market];
        calls[0] = _placeCall(
            market, !down, down ? bid + 1 : ask - 1, _lotsOf(market, _between(10, 20_000)), false
        );
        calls[1] = abi.encodeCall(IPerpsMarks.poke, (market));
        calls[2] = abi.encodeCall(IBook.cancel, (market, flash));
        uint64 size = uint64(down ? lots : -lots);
        calls[3] = _placeCall(market, down, down ? bid + 1 : ask - 1, size, false);
        calls[4] =
            abi.encodeCall(ILiquidation.liquidate, (victim, market, _liveOf(market, victim)));
        _carryOut(by, plans);
        seen["cornered"] += 1;
    }

    /// Everything happens in this second. It changes no mark, no funding and no premium but as a
    /// mere poke would; from the next second on the mark has moved by one step at most.
    function _carryOut(Party[] memory by, bytes[][] memory plans) private {
        for (uint32 market = 1; market <= BOOKS; market++) {
            try perps.settleHours(market) {} catch {}
        }
        _forget();
        Prices[2] memory before = _allPrices();
        // An account may have the margin for its orders in either market, but not in both: the poke
        // that comes first finds it without.
        Prices[2][2] memory poked = [_ifPoked(1), _ifPoked(2)];
        _begin();
        for (uint256 i = 0; i < plans.length; i++) {
            _act(by[i].wallet, plans[i]);
        }
        _end();
        Prices[2] memory afterwards = _allPrices();
        vm.warp(block.timestamp + 1);
        Prices[2] memory later = _allPrices();
        for (uint256 i = 0; i < BOOKS; i++) {
            _expectHeld(before[i], afterwards[i]);
            bool reversed = afterwards[i].premiumSum == poked[1][i].premiumSum;
            Prices memory mere = poked[reversed ? 1 : 0][i];
            _expectSampled(before[i], mere, afterwards[i], later[i]);
            if (!_changesOld[uint32(i + 1)]) {
                _expectMere(before[i], mere, afterwards[i], later[i]);
            }
        }
    }

    function _allPrices() private view returns (Prices[2] memory prices) {
        (prices[0], prices[1]) = (_pricesOf(1), _pricesOf(2));
    }

    /// The premiums of now and the marks of the next second if only a poke had occurred, `first`
    /// first.
    function _ifPoked(uint32 first) private returns (Prices[2] memory prices) {
        uint256 id = CHEATS.snapshotState();
        try perps.poke(first) {} catch {}
        try perps.poke(3 - first) {} catch {}
        prices = _allPrices();
        vm.warp(block.timestamp + 1);
        (prices[0].mark, prices[1].mark) = (_pricesOf(1).mark, _pricesOf(2).mark);
        CHEATS.revertToStateAndDelete(id);
        _forget();
    }

    function _expectHeld(Prices memory before, Prices memory afterwards) private pure {
        vm.assertEq(afterwards.mark, before.mark, "no mark changes within a second");
        vm.assertEq(
            afterwards.fundingIndex, before.fundingIndex, "no funding changes within a second"
        );
    }

    /// A strike can only suppress the effect of a poke: mark and premium end between their earlier
    /// values, those after a mere poke, zero, and the average of the earlier mids.
    function _expectSampled(
        Prices memory before,
        Prices memory poked,
        Prices memory afterwards,
        Prices memory later
    ) private pure {
        int256 step = later.mark - before.mark;
        int256 most = before.index * STEP_MAX / 10_000 + before.index / 1e9 + 1;
        vm.assertTrue(step <= most && -step <= most, "a poke moves the mark by one step at most");
        int256[4] memory ends = [before.mark, poked.mark, before.index, before.average];
        _expectBetween(
            later.mark, ends, before.index / 1e8 + 1, "what comes and goes moves no mark"
        );
        ends = [before.premiumSum, poked.premiumSum, before.premiumSum, before.premiumSum];
        ends[2] += (before.mark - before.index) * 1e18 / before.index * 120;
        ends[3] += (before.average - before.index) * 1e18 / before.index * 120;
        _expectBetween(afterwards.premiumSum, ends, 120e9, "what comes and goes moves no premium");
    }

    /// A strike that leaves earlier resting orders untouched changes nothing beyond the effect of a
    /// mere poke.
    function _expectMere(
        Prices memory before,
        Prices memory poked,
        Prices memory afterwards,
        Prices memory later
    ) private pure {
        bool same = later.mark == before.mark && afterwards.premiumSum == before.premiumSum;
        bool mere = later.mark == poked.mark && afterwards.premiumSum == poked.premiumSum;
        vm.assertTrue(same || mere, "quotes of this second count nothing");
    }

    function _expectBetween(
        int256 value,
        int256[4] memory ends,
        int256 rounding,
        string memory rule
    ) private pure {
        (int256 low, int256 high) = (ends[0], ends[0]);
        for (uint256 i = 1; i < 4; i++) {
            if (ends[i] < low) low = ends[i];
            if (ends[i] > high) high = ends[i];
        }
        vm.assertGe(value, low - rounding, rule);
        vm.assertLe(value, high + rounding, rule);
    }

    /// In one multicall, or one by one when that reverts.
    function _act(address wallet, bytes[] memory calls) internal {
        vm.prank(wallet);
        try perps.multicall(calls) {
            _read();
            seen["all in one"] += 1;
            return;
        } catch {
            _forget();
        }
        for (uint256 i = 0; i < calls.length; i++) {
            vm.prank(wallet);
            (bool done,) = address(perps).call(calls[i]);
            if (done) _read();
            else _forget();
        }
    }

    /* WHAT IT CAME TO */
    /// One line a run: the most taken in a strike, all that was taken, all that others agreed to,
    /// and the largest figure of a scheme.
    function _reportTaken(int256 schemed) internal {
        string memory path = CHEATS.envOr("FUZZ_TAKEN", "");
        if (bytes(path).length == 0) return;
        string memory figures =
            string.concat(CHEATS.toString(takenMost), " ", CHEATS.toString(taken));
        figures = string.concat(figures, " ", CHEATS.toString(agreed));
        CHEATS.writeLine(path, string.concat(figures, " ", CHEATS.toString(schemed)));
    }
    function _push() internal virtual;
}
