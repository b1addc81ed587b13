// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Insurance} from "./Insurance.sol";
import {Positions} from "./Positions.sol";
import {AccountId, Lots, Tick} from "./ValueTypes.sol";
import {ILedger} from "./interfaces/ILedger.sol";
import {IOwned} from "./interfaces/IOwned.sol";
import {IPerpsMarks} from "./interfaces/IPerps.sol";

/// Operations of insurance other than takeovers: it unwinds its positions and pays debts. Its
/// limits are also set here.
abstract contract Fund is IPerpsMarks, Insurance {
    uint16 private constant LOSS_BPS_MAX = 10_000;

    /* COVERS */

    /// @inheritdoc IPerpsMarks
    function setCover(uint32 market, uint96 maxNotional, uint16 lossBps) external {
        _requireLive(market);
        require(lossBps <= LOSS_BPS_MAX, LimitOutOfRange(lossBps, LOSS_BPS_MAX));
        Cover memory cover = _covers[market];
        if (msg.sender == _owner) {
            cover.paid = 0;
        } else {
            require(msg.sender == _guardian, IOwned.NotOwner(msg.sender));
            bool tightens = maxNotional <= cover.maxNotional && lossBps <= cover.lossBps;
            require(tightens, NotTighter(market));
        }
        _setCover(market, Cover(maxNotional, lossBps, cover.paid));
    }

    /// @inheritdoc IPerpsMarks
    function coverOf(uint32 market) external view returns (Cover memory) {
        return _covers[market];
    }

    /* UNWINDING */

    /// @inheritdoc IPerpsMarks
    function unwind(uint32 market) external nonReentrant {
        _requireLive(market);
        _settleAll(INSURANCE_ACCOUNT);
        Quote memory quote = _quoteOf(market);
        require(!quote.stale, IndexStale(quote.asset, quote.indexTime));
        int64 lots = _positions[market][INSURANCE_ACCOUNT].lots;
        bool buy = lots < 0;
        Tick tick = _tickWithin(market, buy, _bestPerLot(market, quote, !buy));
        require(lots != 0 && _crosses(market, buy, tick), NothingToUnwind(market));
        int256 held = _insuranceHeld();
        Lots whole = Lots.wrap(uint64(Positions.abs(lots)));
        uint256 closed = _closeForced(market, INSURANCE_ACCOUNT, tick, whole);
        if (closed == 0) return; // it has dropped orders that were in the way
        _count(market, held);
        _rewardFromFees(_tradeReward(market, closed * quote.markPerLot));
    }

    /* DEBTS */

    /// @inheritdoc IPerpsMarks
    function coverDebt(uint40 account) external nonReentrant {
        _coverDebt(AccountId.wrap(account));
    }

    function _coverDebt(AccountId account) private {
        int256 debt = -_holdings[account].collateral;
        require(debt > 0 && !_hasPosition(account), NoDebt(AccountId.unwrap(account), -debt));
        _settleAll(INSURANCE_ACCOUNT);
        int256 insured = _storedHealth(INSURANCE_ACCOUNT).equity;
        require(insured > 0, InsuranceExhausted(insured));
        uint256 raw = uint256(debt < insured ? debt : insured) / SCALE;
        _pay(INSURANCE_ACCOUNT, -int256(raw * SCALE));
        _pay(account, int256(raw * SCALE));
        emit ILedger.Transferred(
            AccountId.unwrap(INSURANCE_ACCOUNT), AccountId.unwrap(account), collateral, raw
        );
    }
}
